import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClosers } from '../../src/app/parts/closers.ts';
import { createShutDown, type RunningParts } from '../../src/app/shut-down.ts';
import { createDeferred } from '../support/deferred.ts';

/** Parts that note what is asked of them; work in progress goes on until `finish` is called. */
function runningParts(over: Partial<RunningParts> = {}) {
  const steps: string[] = [];
  const note = (step: string) => void steps.push(step);
  const { promise: work, resolve: finish } = createDeferred();
  const parts: RunningParts = {
    producers: [{ close: async () => note('scheduler closed') }],
    background: { drain: () => note('background drained') },
    transport: { drain: () => work, end: () => note('connections ended') },
    runs: { idle: () => work, close: async () => note('runs closed') },
    server: { drain: () => note('server drained'), stopListening: () => note('stopped listening') },
    closers: { closeAll: async () => note('all closed') },
    ...over,
  };
  return { parts, steps, finish };
}

describe('shutting down', () => {
  it('lets running work finish before it closes anything, in order', async () => {
    const { parts, steps, finish } = runningParts();
    const closed = createShutDown(parts)();
    await setImmediate();
    expect(steps).toEqual(['background drained', 'server drained', 'scheduler closed']);
    finish();
    await closed;
    expect(steps.slice(3)).toEqual(['stopped listening', 'runs closed', 'connections ended', 'all closed']);
  });

  it('closes once, and sooner if a later call says so', async () => {
    const { parts, steps } = runningParts();
    const shutDown = createShutDown(parts);
    const first = shutDown();
    expect(shutDown(0)).toBe(first);
    await first;
    expect(steps.filter((step) => step === 'all closed')).toHaveLength(1);
  });

  it('refuses new work while what begins work is still closing, and waits for what it began', async () => {
    const { promise: closing, resolve: finishClosing } = createDeferred();
    const drained: string[] = [];
    const { parts, steps, finish } = runningParts({ producers: [{ close: () => closing }] });
    const drain = () => {
      drained.push('transport');
      return parts.runs.idle();
    };
    const closed = createShutDown({ ...parts, transport: { ...parts.transport, drain } })();
    expect(drained).toEqual(['transport']);
    finish();
    await setImmediate();
    expect(steps).toEqual(['background drained', 'server drained']);
    finishClosing();
    await closed;
    expect(steps).toContain('all closed');
  });

  it('lets answers be sent that are on their way when the grace period is over', async () => {
    const { promise: answered, resolve: answer } = createDeferred();
    const { parts, steps } = runningParts();
    const closed = createShutDown({ ...parts, transport: { ...parts.transport, drain: () => answered } })(0);
    while (!steps.includes('runs closed')) await setImmediate();
    await setImmediate();
    expect(steps).not.toContain('connections ended');
    answer();
    await closed;
    expect(steps.slice(-2)).toEqual(['connections ended', 'all closed']);
  });

  it('waits no longer for work when the grace period is over before what begins work is closed', async () => {
    const { parts, steps } = runningParts({ producers: [{ close: () => sleep(20) }] });
    await createShutDown(parts)(0);
    expect(steps).toContain('all closed');
  });
});

describe('closers', () => {
  it('close the last part first, each once', async () => {
    const closed: string[] = [];
    const { opened, onClose, closeAll } = createClosers();
    const part = opened({ name: 'store', close: () => void closed.push('store') });
    onClose(async () => void closed.push('lock'));
    await closeAll();
    await closeAll();
    expect(part.name).toBe('store');
    expect(closed).toEqual(['lock', 'store']);
  });
});
