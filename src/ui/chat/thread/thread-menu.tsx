/** The menu of the thread on the page: what can be done with every thread, and exporting and printing this one. */
import { effect, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Client, ThreadSummary } from '../../../client/client.ts';
import { IconButton } from '../../components/button.tsx';
import { download } from '../../components/files/download.ts';
import { MoreIcon, ShareIcon } from '../../components/icons.tsx';
import { Menu } from '../../components/menu.tsx';
import { toast } from '../../components/toast.tsx';
import { counted } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { type ExportedTurn, threadAsJson, threadAsMarkdown } from '../answer/export-thread.ts';
import { endedTurns, runningTurn, thread_id as threadOnPage, turns } from './conversation.ts';
import { shareThread, threadActions, threadChanges } from './thread-actions.tsx';

export function ThreadMenu({ client, thread_id }: { readonly client: Client; readonly thread_id: string }) {
  const thread = useSignal<ThreadSummary | undefined>(undefined);
  const [ended, changes] = [endedTurns.value, threadChanges.value];
  useEffect(() => {
    let isLeft = false;
    client.threads.get(thread_id).then(
      ({ turns, ...rest }) => {
        if (!isLeft) thread.value = { ...rest, turns: turns.length };
      },
      // Without it there is no menu; the page itself says what is wrong.
      () => {},
    );
    return () => {
      isLeft = true;
    };
  }, [client, thread_id, ended, changes]);

  const shown = thread.value;
  if (shown === undefined || shown.thread_id !== thread_id) return null;
  const exporting = (label: string, write: (turns: readonly ExportedTurn[]) => void) => ({
    label,
    onChoose: () => void whenComplete(write),
  });
  const exports = [
    exporting(t.thread.exportMarkdown, (all) => download(`${shown.title}.md`, threadAsMarkdown(shown.title, all))),
    exporting(t.thread.exportJson, (all) => download(`${shown.title}.json`, threadAsJson(shown.title, all))),
    // Once the last of them has been drawn.
    exporting(t.thread.print, () => setTimeout(() => print())),
  ];
  const [rename, pin, share, remove] = threadActions(client, shown);
  return (
    <>
      <IconButton label={t.thread.shareThread} onClick={() => shareThread(client, shown)}>
        <ShareIcon />
      </IconButton>
      <Menu label={t.thread.label} actions={[rename!, pin!, share!, ...exports, remove!]}>
        <MoreIcon />
      </Menu>
    </>
  );
}

/**
 * Calls `write` with the questions and answers of the page once all of them are complete: those of a thread that was just opened
 * are still being loaded. Says which are missing; does nothing if the page goes on to another thread before.
 */
async function whenComplete(write: (turns: readonly ExportedTurn[]) => void): Promise<void> {
  const own = threadOnPage.value;
  if (runningTurn.value !== undefined) toast(t.thread.exportsLater);
  await settled();
  if (threadOnPage.value !== own) return;
  // What was asked here and failed is exported as it is shown.
  const missing = turns.value.filter(({ failure, isOfThread }) => isOfThread && failure.value !== undefined).length;
  if (missing > 0) toast(counted(t.thread.notExported, missing));
  write(turns.value.map(({ prompt, search }) => ({ prompt: prompt.value, search: search.value })));
}

/** Once no answer of the page is being loaded or written. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (runningTurn.value !== undefined) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}
