/** What went wrong, in words, with the time to wait where waiting helps and the button that then does. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import type { FailureWords } from './failure.ts';

export function FailureNotice({
  words,
  onAgain,
}: {
  readonly words: FailureWords;
  readonly onAgain: (() => void) | undefined;
}) {
  const { title, text, again, wait_ms } = words;
  const [until] = useState(() => (wait_ms === undefined ? undefined : Date.now() + wait_ms));
  const left = useSecondsLeft(until);
  return (
    <div class={again ? 'notice' : 'notice notice-plain'} role="alert">
      <p class="notice-title">{title}</p>
      {text.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
      {again && onAgain !== undefined && (
        <Button disabled={left > 0} onClick={onAgain}>
          {left > 0 ? `Ask again in ${left} s` : 'Ask again'}
        </Button>
      )}
    </div>
  );
}

/** Whole seconds until then; 0 once it is over. */
export function useSecondsLeft(until: number | undefined): number {
  const count = () => (until === undefined ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1_000)));
  const [left, setLeft] = useState(count);
  useEffect(() => {
    setLeft(count());
    if (until === undefined) return;
    const timer = setInterval(() => setLeft(count()), 250);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}
