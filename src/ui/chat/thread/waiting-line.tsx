/** Why nothing happens while a search is paused. */
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { useSecondsLeft } from './ending/failure-notice.tsx';
import { describePause } from './ending/failure-text.ts';
import type { Pause, Turn } from './turn.ts';

export function WaitingLine({ turn }: { readonly turn: Turn }) {
  const pause = turn.pause.value;
  return pause === undefined ? null : <PauseLine pause={pause} />;
}

function PauseLine({ pause }: { readonly pause: Pause }) {
  const left = useSecondsLeft(pause.until);
  const why = describePause(pause.why);
  return (
    <p class="pause" role="status">
      <span class="pause-dot" aria-hidden="true" />
      {left > 0 ? fill(t.pause.in, { why, seconds: left }) : why}
    </p>
  );
}
