/** Detects a connection on which nothing arrives: a dead one is not closed, only silent. */
export interface InactivityTimeout {
  /** Call whenever something arrives. */
  activity(): void;
  /** Replaces the limit and starts counting again from now. */
  setLimit(ms: number): void;
  stop(): void;
}

/** Calls `onTimeout` once, when there was no activity for `ms`. */
export function createInactivityTimeout(ms: number, onTimeout: () => void): InactivityTimeout {
  let limitMs = ms;
  let lastActivity = Date.now();
  let timer = setTimeout(check, limitMs);

  // One timer for many messages: when it fires, it sleeps again for what is left.
  function check(): void {
    // The clock may have been set back.
    lastActivity = Math.min(lastActivity, Date.now());
    const left = lastActivity + limitMs - Date.now();
    if (left <= 0) onTimeout();
    else timer = setTimeout(check, left);
  }

  return {
    activity() {
      lastActivity = Date.now();
    },
    setLimit(nextMs) {
      limitMs = nextMs;
      lastActivity = Date.now();
      clearTimeout(timer);
      timer = setTimeout(check, limitMs);
    },
    stop: () => clearTimeout(timer),
  };
}
