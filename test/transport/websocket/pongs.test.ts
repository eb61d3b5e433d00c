/** Pongs to a client that does not read. */
import { expect, it } from 'vitest';
import { sessionLimits } from '../../../protocol/index.ts';
import { createPongs } from '../../../src/transport/websocket/pongs.ts';

it('sends pongs in order while there is room, keeps a limited number of them, and reports a flood above it', () => {
  let room = 1;
  const sent: string[] = [];
  let floods = 0;
  const pongs = createPongs({
    socket: { canWrite: () => sent.length < room },
    send: ({ ref }) => void sent.push(ref),
    onFlood: () => {
      floods += 1;
    },
  });
  const most = sessionLimits.pongs_waiting;
  for (let n = 0; n <= most; n++) pongs.add(`${n}`);
  expect([sent, floods]).toEqual([['0'], 0]);
  pongs.add('too many');
  expect([sent, floods]).toEqual([['0'], 1]);
  room = 3;
  pongs.wake();
  expect(sent).toEqual(['0', '1', '2']);
  room = Number.POSITIVE_INFINITY;
  pongs.add('last');
  expect(sent).toEqual([...Array.from({ length: most + 1 }, (_, n) => `${n}`), 'last']);
});
