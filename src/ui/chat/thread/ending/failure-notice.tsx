/** A failure in plain words, with a button to ask again that is enabled once the wait is over. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../../components/button.tsx';
import { fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';
import type { FailureText } from './failure-text.ts';

export function FailureNotice({
  failure,
  onRetry,
}: {
  readonly failure: FailureText;
  readonly onRetry: (() => void | Promise<void>) | undefined;
}) {
  const { title, text, canRetry, wait_ms, retryLabel = t.failures.retry } = failure;
  const [until] = useState(() => (wait_ms === undefined ? undefined : Date.now() + wait_ms));
  const left = useSecondsLeft(until);
  const [isBusy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await onRetry?.();
    setBusy(false);
  };
  return (
    <div class={canRetry ? 'notice' : 'notice notice-plain'} role="alert">
      <p class="notice-title">{title}</p>
      {text !== '' && text.split('\n').map((line) => <p key={line}>{line}</p>)}
      {canRetry && onRetry !== undefined && (
        <Button disabled={left > 0} isBusy={isBusy} onClick={() => void retry()}>
          {left > 0 ? fill(t.failures.retryIn, { seconds: left }) : retryLabel}
        </Button>
      )}
    </div>
  );
}

/** Whole seconds until `until`, a `Date.now()` time; 0 once it has passed. */
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
