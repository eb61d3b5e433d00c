/** What a server keeps of connections whose client leaves, while its key is checked or later: nothing. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { chooseServer } from '../../../src/transport/choose-server.ts';
import type { Exchange, Handlers, Server, Socket } from '../../../src/transport/exchange.ts';
import { connectRaw, handshake, type RawClient } from '../../support/clients/raw-client.ts';
import { createDeferred, type Deferred } from '../../support/deferred.ts';
import { isNative } from '../../support/transport.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let server: Server;
let url: string;
/** Resolved when the upgrade may be accepted. */
let checked: Deferred;
let upgrades: Exchange[];
let accepted: Socket[];
let abandoned: number;
let faults: unknown[];

const handlers: Handlers = {
  request: async () => {},
  async upgrade(exchange) {
    upgrades.push(exchange);
    await checked.promise;
    return {
      accept: (socket) => accepted.push(socket),
      abandon: () => {
        abandoned += 1;
      },
    };
  },
};

beforeEach(async () => {
  [checked, upgrades, accepted, abandoned, faults] = [createDeferred(), [], [], 0, []];
  const create = await chooseServer({
    transport: isNative ? 'uws' : 'node',
    socketPath: '/v1/ws/search',
    log: createLog('error'),
    onFault: (error) => faults.push(error),
  });
  server = create(handlers);
  url = `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
});
afterEach(() => {
  server.close();
  expect(faults).toEqual([]);
});

/** Resolves once the server checks the key. */
async function askForUpgrade(headers: Record<string, string> = {}): Promise<RawClient> {
  const before = upgrades.length;
  const client = await connectRaw(url);
  client.send(handshake(headers));
  await expect.poll(() => upgrades.length, { interval: 2 }).toBe(before + 1);
  return client;
}

describe('an upgrade', () => {
  it.each(['end', 'destroy'] as const)(
    'is abandoned if its client leaves before it is accepted (%s)',
    async (leave) => {
      const client = await askForUpgrade();
      client.socket[leave]();
      // A connection that the client has closed is not left half open.
      await client.ended;
      await expect.poll(() => upgrades[0]!.signal.aborted).toBe(true);
      checked.resolve();
      await expect.poll(() => abandoned).toBe(1);
      expect(accepted).toEqual([]);
    },
  );

  it('is accepted or abandoned, whenever its client leaves', async () => {
    checked.resolve();
    for (let n = 0; n < 40; n++) {
      const client = await connectRaw(url);
      client.send(handshake());
      if (n % 2 === 0) await client.until((text) => text.includes('101'));
      client.socket[n % 4 < 2 ? 'end' : 'destroy']();
      await client.ended;
    }
    await expect.poll(() => accepted.length + abandoned).toBe(upgrades.length);
  });

  it('is accepted or abandoned if its key is not base64', async () => {
    checked.resolve();
    const client = await askForUpgrade({ 'Sec-WebSocket-Key': '!'.repeat(24) });
    await expect.poll(() => accepted.length + abandoned).toBe(1);
    client.leave();
  });

  it('becomes a socket that closes when its client ends the connection', async () => {
    const client = await askForUpgrade();
    checked.resolve();
    await expect.poll(() => accepted.length).toBe(1);
    const closed = new Promise<void>((resolve) => accepted[0]!.onClose(resolve));
    client.socket.end();
    await closed;
    await client.ended;
    expect(abandoned).toBe(0);
  });
});

describe('a closed socket', () => {
  it('is not kept, nor what its listeners refer to', async () => {
    checked.resolve();
    const refs: WeakRef<object>[] = [];
    for (let n = 0; n < 20; n++) {
      const client = await askForUpgrade();
      await expect.poll(() => accepted.length, { interval: 2 }).toBe(1);
      refs.push(listenTo(accepted.pop()!));
      client.leave();
    }
    const kept = () => {
      collect();
      return refs.filter((ref) => ref.deref() !== undefined).length;
    };
    // What was closed last may still be referred to by a stack frame.
    await expect.poll(kept).toBeLessThan(3);
  });
});

/** A weak reference to what the socket's listeners hold. */
function listenTo(socket: Socket): WeakRef<object> {
  const held = { bytes: new Uint8Array(1_000) };
  socket.onMessage(() => void held.bytes);
  socket.onClose(() => void held.bytes);
  return new WeakRef(held);
}
