/** The menu of the thread on the page: what can be done with every thread, and exporting and printing this one. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Client, ThreadSummary } from '../../../client/client.ts';
import { IconButton } from '../../components/button.tsx';
import { download } from '../../components/files/download.ts';
import { MoreIcon, ShareIcon } from '../../components/icons.tsx';
import { Menu } from '../../components/menu.tsx';
import { t } from '../../language/text.ts';
import { threadAsJson, threadAsMarkdown } from '../answer/export-thread.ts';
import { endedTurns, turns } from './thread.ts';
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
  const states = () => turns.value.map(({ prompt, search }) => ({ prompt: prompt.value, search: search.value }));
  const exports = [
    {
      label: t.thread.exportMarkdown,
      onChoose: () => download(`${shown.title}.md`, threadAsMarkdown(shown.title, states())),
    },
    {
      label: t.thread.exportJson,
      onChoose: () => download(`${shown.title}.json`, threadAsJson(shown.title, states())),
    },
    { label: t.thread.print, onChoose: () => print() },
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
