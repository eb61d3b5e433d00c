/** What can be done with a thread: rename, pin, share and delete it; and the dialogs for that. */
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Client, ThreadSummary } from '../../../client/client.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import type { MenuAction } from '../../components/menu.tsx';
import { toast } from '../../components/toast.tsx';
import { describeError } from '../../language/describe-error.ts';
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { thread_id } from './conversation.ts';
import { ShareDialog } from './share-dialog.tsx';
import { startNew } from './thread.ts';

interface OpenDialog {
  readonly kind: 'rename' | 'share' | 'delete';
  readonly client: Client;
  readonly thread: ThreadSummary;
}

/** Counts changes of threads on this page, after each of which their list is read again. */
export const threadChanges = signal(0);

const openDialog = signal<OpenDialog | undefined>(undefined);

/** The actions of a thread, for a menu. The page renders `ThreadDialogs` once. */
export function threadActions(client: Client, thread: ThreadSummary): MenuAction[] {
  const show = (kind: OpenDialog['kind']) => () => {
    openDialog.value = { kind, client, thread };
  };
  const pin = () =>
    client.threads.change(thread.thread_id, { pinned: !thread.pinned }).then(changed, (error: unknown) => {
      toast(describeError(error));
    });
  return [
    { label: t.thread.rename, onChoose: show('rename') },
    { label: thread.pinned ? t.thread.unpin : t.thread.pin, onChoose: () => void pin() },
    { label: t.thread.share, onChoose: show('share') },
    { label: t.thread.delete, isDanger: true, onChoose: show('delete') },
  ];
}

/** Opens the share dialog of a thread. */
export function shareThread(client: Client, thread: ThreadSummary): void {
  openDialog.value = { kind: 'share', client, thread };
}

export function ThreadDialogs() {
  const open = openDialog.value;
  if (open === undefined) return null;
  const close = () => {
    openDialog.value = undefined;
  };
  const { kind, client, thread } = open;
  if (kind === 'share') return <ShareDialog {...{ client, thread }} onChange={changed} onClose={close} />;
  if (kind === 'rename') return <RenameDialog {...{ client, thread }} onClose={close} />;
  const remove = async () => {
    await client.threads.remove(thread.thread_id);
    if (thread.thread_id === thread_id.value) startNew();
    changed();
    close();
  };
  return (
    <ConfirmDialog title={t.thread.deleteTitle} action={t.thread.delete} onConfirm={remove} onClose={close}>
      {fill(t.thread.deleteText, { title: thread.title })}
    </ConfirmDialog>
  );
}

function RenameDialog({
  client,
  thread,
  onClose,
}: {
  readonly client: Client;
  readonly thread: ThreadSummary;
  readonly onClose: () => void;
}) {
  const [title, setTitle] = useState(thread.title);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      await client.threads.change(thread.thread_id, { title });
      changed();
      onClose();
    } catch (failure) {
      setError(describeError(failure));
    }
    setBusy(false);
  };
  return (
    <Dialog title={t.thread.renameTitle} onClose={onClose}>
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field
          label={t.thread.title}
          value={title}
          maxLength={120}
          error={error}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
        <div class="dialog-foot">
          <Button onClick={onClose}>{t.dialog.cancel}</Button>
          <Button look="main" type="submit" disabled={title.trim() === ''} isBusy={isBusy}>
            {t.thread.rename}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function changed(): void {
  threadChanges.value += 1;
}
