/** Why nothing happens: the search is paused, or it was stopped and the server has not confirmed it yet. */
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { useSecondsLeft } from './ending/failure-notice.tsx';
import { describePause } from './ending/failure-text.ts';
import { useDelayed } from './steps/use-delayed.ts';
import type { Pause, Turn } from './turn.ts';

/** A server that is there confirms within this time, and nothing is shown. Set by hand. */
const confirmMs = 300;

export function WaitingLine({ turn }: { readonly turn: Turn }) {
  const isStopping = useDelayed(turn.isStopping.value, confirmMs);
  const pause = turn.pause.value;
  if (isStopping && turn.isStopping.value) return <Line text={t.ending.stopping} />;
  return pause === undefined ? null : <PauseLine pause={pause} />;
}

function PauseLine({ pause }: { readonly pause: Pause }) {
  const left = useSecondsLeft(pause.until);
  const why = describePause(pause.why);
  return <Line text={left > 0 ? fill(t.pause.in, { why, seconds: left }) : why} />;
}

function Line({ text }: { readonly text: string }) {
  return (
    <p class="pause" role="status">
      <span class="pause-dot" aria-hidden="true" />
      {text}
    </p>
  );
}
