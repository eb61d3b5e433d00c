/**
 * Gives the memory of a resting thread back to the system. V8 collects when a program allocates, so a thread that has nothing to
 * do keeps what it last had: the main one held 79 MiB some seconds after its start, of which 30 were an almost empty space for
 * new objects, and 43 after a collection that also makes its spaces smaller. `gc()` of `--expose-gc` does not: the inspector's
 * does.
 */
import { getHeapStatistics } from 'node:v8';

/**
 * How long a thread rests before its garbage is collected, ms: what was needed only to start soon, later only after a pause that is
 * long. V8 drops the optimised code of all functions of which no closure is alive at that moment: the 60 searches after a
 * collection took 28 to 36 ms of CPU each instead of 17 to 23. Set by hand.
 */
export const restMs = { first: 5_000, later: 60_000 };

/** A collection takes tenths of a second; set by hand: less growth than this is not worth them. */
const minGrowth = 1.25;

/** The size of the heap of this thread after its last collection here, bytes. */
let kept = 0;

/** Collects the garbage of this thread if its heap has grown by a quarter since the last time. Never rejects. */
export async function collectGarbage(): Promise<void> {
  if (residentHeap() < minGrowth * kept) return;
  try {
    // Node can be built without it.
    const { Session } = await import('node:inspector/promises');
    const session = new Session();
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
    session.disconnect();
  } catch {
    // V8 collects when it has to.
  }
  kept = residentHeap();
}

function residentHeap(): number {
  return getHeapStatistics().total_physical_size;
}
