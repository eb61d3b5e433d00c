/** A dialog with a secret that is shown once: closing it asks whether the secret was copied. */
import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { t } from '../language/dashboard/text.ts';
import { CopyText, type CopyTextProps } from './copy-text.tsx';

export interface SecretDialogProps {
  readonly title: string;
  /** What to do with the secret. */
  readonly hint: string;
  readonly secret: string;
  readonly what: CopyTextProps['what'];
  readonly onClose: () => void;
}

export function SecretDialog({ title, hint, secret, what, onClose }: SecretDialogProps) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog isOnce isUncopied={!isCopied} title={title} onClose={onClose}>
      <p>{hint}</p>
      <CopyText text={secret} what={what} onCopied={() => setCopied(true)} />
      <div class="dialog-foot">
        <Button look="main" onClick={onClose}>
          {t.common.done}
        </Button>
      </div>
    </Dialog>
  );
}
