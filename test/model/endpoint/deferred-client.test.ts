/** Calls to an endpoint that is still being found out. */
import { describe, expect, it } from 'vitest';
import type { StageContext } from '../../../src/engine/ports/model.ts';
import type { Call } from '../../../src/model/endpoint/call.ts';
import { createDeferredClient } from '../../../src/model/endpoint/deferred-client.ts';
import type { EndpointClient } from '../../../src/model/endpoint/endpoint-client.ts';

const call = {} as Call;
const contextOf = (signal = new AbortController().signal) => ({ signal }) as StageContext;
const client: EndpointClient = {
  hasVision: async () => false,
  complete: async () => 'whole',
  async *stream() {
    yield 'a';
    yield 'b';
  },
};

describe('calls to an endpoint that is still being found out', () => {
  it('asks once, however many begin at the same time, and never again', async () => {
    let asked = 0;
    const late = createDeferredClient(async () => {
      asked += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return client;
    });
    const streamed = (async () => {
      let text = '';
      for await (const piece of late.stream(call, contextOf())) text += piece;
      return text;
    })();
    expect(await Promise.all([late.complete(call, contextOf()), late.complete(call, contextOf()), streamed])).toEqual([
      'whole',
      'whole',
      'ab',
    ]);
    await late.complete(call, contextOf());
    expect(asked).toBe(1);
  });

  it('asks again after a failure', async () => {
    let asked = 0;
    const late = createDeferredClient(async () => {
      asked += 1;
      if (asked === 1) throw new Error('not there yet');
      return client;
    });
    await expect(late.complete(call, contextOf())).rejects.toThrow('not there yet');
    expect(await late.complete(call, contextOf())).toBe('whole');
  });

  it('stops waiting when its search is ended', async () => {
    const abort = new AbortController();
    const late = createDeferredClient(() => new Promise(() => {}));
    const waiting = late.complete(call, contextOf(abort.signal));
    abort.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
  });
});
