/** How a log ends that the engine did not end. */
import { describe, expect, it } from 'vitest';
import { noUsage, type SearchEvent } from '../../protocol/index.ts';
import { AppError } from '../../src/base/errors.ts';
import { readAbortEvents } from '../../src/runs/abort-events.ts';
import { createRunLog } from '../../src/runs/log.ts';

const step = (step_id: string): SearchEvent => ({ type: 'step.started', step_id, kind: 'search', title: 'a' });
const delta = (text: string): SearchEvent => ({ type: 'answer.delta', block: 'b1', from: 0, text });
const patch = (path: string): SearchEvent => ({ type: 'result.patch', ops: [{ op: 'set', path, value: 1 }] });
const citation = (id: string) => ({ type: 'citation.added', citation: { id } }) as unknown as SearchEvent;
const usage = (tokens: number) => ({ type: 'usage.updated', usage: { ...noUsage, tokens } }) as unknown as SearchEvent;

describe('the events that end a log', () => {
  it('have nothing of the attempts before the last one', () => {
    const log = createRunLog('s1');
    const attempt = (n: number) => [
      ...[step('both'), step(`only ${n}`), usage(n)],
      ...[delta(`Answer ${n}.`), patch(`/field ${n}`), citation(`c${n}`)],
    ];
    for (const event of [...attempt(1), { type: 'search.restarted', attempt: 2 } as const, ...attempt(2)]) {
      log.append(event);
    }
    const events = readAbortEvents(log).failed(new AppError('lost', 'It is gone.'), 'r1');
    expect(events).toMatchObject([
      { type: 'step.finished', step_id: 'only 2' },
      { type: 'step.finished', step_id: 'both' },
      { type: 'search.failed', error: { code: 'lost' } },
    ]);
    const partial = { answer: 'Answer 2.', output: { 'field 2': 1 }, citations: [{ id: 'c2' }] };
    expect(events.at(-1)).toMatchObject({ partial, usage: { tokens: 2 } });
    expect(events.at(-1)).toHaveProperty('partial', partial);
  });

  it('have the usage that is known beside the log, which is newer', () => {
    const log = createRunLog('s1');
    for (const event of [step('one'), usage(1)]) log.append(event);
    const used = { ...noUsage, tokens_in: 21_000 };
    expect(readAbortEvents(log, used).cancelled('client').at(-1)).toMatchObject({ usage: used });
  });

  it('have no answer and no usage if the last attempt has none', () => {
    const log = createRunLog('s1');
    for (const event of [step('one'), delta('Answer.'), usage(1)]) log.append(event);
    log.append({ type: 'search.restarted', attempt: 2 });
    expect(readAbortEvents(log).cancelled('client')).toEqual([
      { type: 'search.cancelled', by: 'client', usage: noUsage },
    ]);
  });
});
