/** Notices a line on which nothing comes any more: a dead one is not closed, it is silent. */
export interface SilenceWatch {
  /** Something came. */
  heard(): void;
  /** From here on this long is too long. */
  allow(ms: number): void;
  stop(): void;
}

/** Calls `onSilence` once, when nothing was heard for `ms`. */
export function watchSilence(ms: number, onSilence: () => void): SilenceWatch {
  let longest = ms;
  let last = Date.now();
  let timer = setTimeout(check, longest);

  // One timer for many messages: it looks back, and sleeps for what is left.
  function check(): void {
    const left = last + longest - Date.now();
    if (left <= 0) onSilence();
    else timer = setTimeout(check, left);
  }

  return {
    heard() {
      last = Date.now();
    },
    allow(most) {
      longest = most;
      last = Date.now();
      clearTimeout(timer);
      timer = setTimeout(check, longest);
    },
    stop: () => clearTimeout(timer),
  };
}
