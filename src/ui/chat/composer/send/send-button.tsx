/** The button that asks the question; while there is something to stop, it stops that instead. */
import { IconButton } from '../../../components/button.tsx';
import { ArrowUpIcon, StopIcon } from '../../../components/icons.tsx';
import { t } from '../../../language/text.ts';

interface SendButtonProps {
  /** Whether there is no question to ask. */
  readonly isEmpty: boolean;
  /** Undefined while there is nothing to stop. */
  readonly onStop: (() => void) | undefined;
}

export function SendButton({ isEmpty, onStop }: SendButtonProps) {
  if (onStop === undefined) {
    return (
      <IconButton
        class="composer-send"
        look="main"
        type="submit"
        label={t.composer.send}
        disabled={isEmpty}
        onClick={onlyOnce}
      >
        <ArrowUpIcon />
      </IconButton>
    );
  }
  return (
    <IconButton
      class="composer-send"
      look="main"
      label={t.composer.stop}
      onClick={(event) => {
        onlyOnce(event);
        if (event.defaultPrevented) return;
        // The button may be the one that submits by the end of the event.
        event.preventDefault();
        onStop();
      }}
    >
      <StopIcon />
    </IconButton>
  );
}

/** Send and Stop are in the same place: the second click of a double-click on one would be on the other. */
function onlyOnce(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}
