/**
 * Text waits for its neighbours: up to 40 ms, and never longer. Streams whose text began to wait at about the same time
 * are handed on together, so that hundreds of them wake the process a few hundred times a second and not once each time.
 */
const longestMs = 40;
const aboutMs = 2;

interface Group {
  /** Until when others may join, on the clock of performance.now. */
  readonly closesAt: number;
  readonly hands: (() => void)[];
}

let newest: Group | undefined;

/** Calls `hand` within 38 to 40 ms. */
export function rollUp(hand: () => void): void {
  const now = performance.now();
  if (newest === undefined || now >= newest.closesAt) newest = begin(now);
  newest.hands.push(hand);
}

function begin(now: number): Group {
  const group: Group = { closesAt: now + aboutMs, hands: [] };
  setTimeout(() => {
    for (const hand of group.hands) hand();
  }, longestMs);
  return group;
}
