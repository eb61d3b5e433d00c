/** What happens to the other examples of a design when one of them cannot be run at all. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Design, TerminalEvent } from '../../protocol/index.ts';
import { runExamples } from '../../src/designs/run-examples.ts';

const design: Design = {
  api_stub: 'facts',
  prompt: 'Hi',
  inputs: {},
  source_whitelist: [],
  source_blacklist: [],
  effort: 'fast',
  max: {},
  examples: Array.from({ length: 8 }, () => ({ inputs: {} })),
} as unknown as Design;

it('begins no other example once one could not be run, and cancels the one in progress', async () => {
  const signals: AbortSignal[] = [];
  const publishing = runExamples(design, async (_, signal) => {
    signals.push(signal);
    if (signals.length === 1) throw new Error('overloaded');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { search_id: 's', terminal: { type: 'search.cancelled', by: 'client' } as unknown as TerminalEvent };
  });
  await expect(publishing).rejects.toThrow('overloaded');
  expect(signals[1]!.aborted).toBe(true);
  await turn();
  expect(signals).toHaveLength(2);
});
