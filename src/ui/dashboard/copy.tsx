/** Text to copy, and the button that does it; where a browser has no clipboard, the text is marked instead. */
import { useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { toast } from '../components/toast.tsx';

interface CopyTextProps {
  readonly text: string;
  /** What it is: "the key", "the command". */
  readonly what: string;
}

export function CopyText({ text, what }: CopyTextProps) {
  const shown = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast(`Copied ${what}`);
    } catch {
      getSelection()?.selectAllChildren(shown.current!);
      toast(`Marked ${what}: copy it with Ctrl+C`);
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
