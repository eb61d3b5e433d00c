/** A worker thread that leaves garbage, and says how large its heap is. */
import { getHeapStatistics } from 'node:v8';

/** Allocates so many objects and drops them; returns the resident bytes of the heap of this thread. */
export default function allocate(count: number): number {
  let last: unknown[] = [];
  for (let i = 0; i < count; i += 1) {
    last.push({ i });
    if (last.length === 100_000) last = [];
  }
  return getHeapStatistics().total_physical_size;
}
