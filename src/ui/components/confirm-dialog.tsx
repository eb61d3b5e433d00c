/** Asks before what cannot be taken back. A refusal is said in the dialog, which stays open for another try. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  readonly title: string;
  /** What the button says that does it. */
  readonly action: string;
  /** Does it, and leaves. Rejects with an Error in words to show. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** What will happen. */
  readonly children: ComponentChildren;
}

export function ConfirmDialog({ title, action, onConfirm, onClose, children }: ConfirmDialogProps) {
  const [fault, setFault] = useState<string>();
  const confirm = () => onConfirm().catch((error: Error) => setFault(error.message));
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {fault !== undefined && (
        <p class="notice notice-bad" role="alert">
          {fault}
        </p>
      )}
      <div class="dialog-foot">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
