/** Text with a copy button; if the browser blocks the clipboard, the text is selected instead. */
import { useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { copyToClipboard } from '../components/clipboard.ts';
import { t } from '../language/dashboard/text.ts';

export interface CopyTextProps {
  readonly text: string;
  /** What the text is. */
  readonly what: 'key' | 'command' | 'secret' | 'program';
  readonly onCopied?: () => void;
}

export function CopyText({ text, what, onCopied }: CopyTextProps) {
  const shown = useRef<HTMLElement>(null);
  const copy = async () => {
    const isCopied = await copyToClipboard(text, t.copy.copied, t.copy.selected);
    if (isCopied) onCopied?.();
    else getSelection()?.selectAllChildren(shown.current!);
  };
  return (
    <div class="copy-text">
      <code ref={shown}>{text}</code>
      <Button aria-label={t.copy[what]} onClick={copy}>
        {t.copy.button}
      </Button>
    </div>
  );
}
