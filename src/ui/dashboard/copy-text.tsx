/** Text with a copy button; if the browser blocks the clipboard, the text is selected instead. */
import { useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { toast } from '../components/toast.tsx';
import { t } from '../language/dashboard/text.ts';

interface CopyTextProps {
  readonly text: string;
  /** What the text is. */
  readonly what: 'key' | 'command' | 'secret' | 'program';
}

export function CopyText({ text, what }: CopyTextProps) {
  const shown = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(t.copy.copied);
    } catch {
      getSelection()?.selectAllChildren(shown.current!);
      toast(t.copy.selected);
    }
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
