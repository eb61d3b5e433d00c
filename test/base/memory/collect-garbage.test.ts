/** What a collection gives back, and when there is none: a thread that has not grown would only lose time. */
import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { collectGarbage } from '../../../src/base/memory/collect-garbage.ts';

/** Resident bytes of the space for new objects. */
function newSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.physical_space_size;
}

/** Objects that survive long enough for their space to grow. */
function allocate(count: number): unknown[] {
  return Array.from({ length: count }, (_, i) => ({ i, text: [i] }));
}

it('makes the space for new objects small, and collects again only once the heap has grown', async () => {
  allocate(300_000);
  const grown = newSpace();
  await collectGarbage();
  expect(newSpace()).toBeLessThan(grown / 2);

  const marker = new WeakRef(allocate(1));
  await collectGarbage();
  expect(marker.deref()).toBeDefined();

  const kept = allocate(800_000);
  await collectGarbage();
  expect(kept).toHaveLength(800_000);
  expect(marker.deref()).toBeUndefined();
});
