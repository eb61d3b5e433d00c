/** A dialog with a secret that is shown once: until it was copied, leaving the page asks first. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { t } from '../language/dashboard/text.ts';
import { CopyText, type CopyTextProps } from './copy-text.tsx';
import { hasUncopied } from './router.tsx';

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
  useEffect(() => {
    hasUncopied.value = !isCopied;
    return () => {
      hasUncopied.value = false;
    };
  }, [isCopied]);
  useEffect(() => {
    // By hand, as with Ctrl+C.
    const onCopy = () => {
      if (getSelection()?.toString().includes(secret)) setCopied(true);
    };
    document.addEventListener('copy', onCopy);
    return () => document.removeEventListener('copy', onCopy);
  }, [secret]);
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
