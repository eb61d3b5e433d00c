/** Text with a copy button; if the browser blocks the clipboard, the text is selected instead. */
import { useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { toast } from '../components/toast.tsx';

interface CopyTextProps {
  readonly text: string;
  /** What the text is: "key", "command". */
  readonly what: string;
}

export function CopyText({ text, what }: CopyTextProps) {
  const shown = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(`Copied the ${what}`);
    } catch {
      getSelection()?.selectAllChildren(shown.current!);
      toast(`Selected the ${what}; press Ctrl+C to copy`);
    }
  };
  return (
    <div class="copy-text">
      <code ref={shown}>{text}</code>
      <Button aria-label={`Copy ${what}`} onClick={copy}>
        Copy
      </Button>
    </div>
  );
}
