/** Asks before an action that cannot be undone. An error is shown in the dialog, which stays open for another attempt. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { describeError } from '../language/describe-error.ts';
import { t } from '../language/text.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  readonly title: string;
  /** Label of the confirming button. */
  readonly action: string;
  /** Performs the action and closes the dialog. Rejects with an Error whose message is shown. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** Explains what will happen. */
  readonly children: ComponentChildren;
}

export function ConfirmDialog({ title, action, onConfirm, onClose, children }: ConfirmDialogProps) {
  const [error, setError] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const confirm = async () => {
    setRunning(true);
    setError(undefined);
    await onConfirm().catch((error: unknown) => setError(describeError(error)));
    setRunning(false);
  };
  return (
    <Dialog title={title} isBusy={isRunning} onClose={onClose}>
      <p>{children}</p>
      {error !== undefined && (
        <p class="notice notice-bad" role="alert">
          {error}
        </p>
      )}
      <div class="dialog-foot">
        <Button disabled={isRunning} onClick={onClose}>
          {t.dialog.cancel}
        </Button>
        <Button look="danger" isBusy={isRunning} onClick={() => void confirm()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
