/** The spans of a search, as its log and its calls tell them. */
import { expect, it } from 'vitest';
import { noUsage, type SearchEvent } from '../../protocol/index.ts';
import { createRunLog } from '../../src/runs/log.ts';
import { spansOfRun } from '../../src/telemetry/spans-of-run.ts';

it('puts the calls of reflections that began in the same millisecond each under its own', () => {
  let now = 1_000;
  const log = createRunLog('s1', () => now);
  const ids = ['a', 'b', 'c'];
  for (const step_id of ids) log.append({ type: 'step.started', step_id, kind: 'rank', title: 'Reflecting' });
  const call = { kind: 'model', model: 'm', provider: 'openai', baseUrl: 'http://127.0.0.1' } as const;
  // They end in another order than they began.
  const calls = ['c', 'a', 'b'].map((step_id) => {
    now += 10;
    log.append({ type: 'step.finished', step_id, status: 'ok', duration_ms: 10, summary: '' } as SearchEvent);
    return { call, span_id: `call of ${step_id}`, start: 1_000, end: now };
  });
  log.append({ type: 'search.cancelled', by: 'client', usage: noUsage });
  const spans = spansOfRun({
    context: { trace_id: 't', span_id: 'root', sampled: true },
    parent_id: undefined,
    run: { search_id: 's1', created_at: '', prompts: [], log, attempt: undefined },
    about: { door: 'native', mode: 'text' },
    calls,
    start: 1_000,
    hasContent: false,
  });
  const steps = new Map(spans.filter(({ name }) => name === 'rank').map(({ span_id }, at) => [span_id, ids[at]]));
  const parents = spans
    .filter(({ name }) => name === 'chat m')
    .map(({ span_id, parent_id }) => [span_id, steps.get(parent_id!)]);
  expect(parents).toEqual([
    ['call of c', 'c'],
    ['call of a', 'a'],
    ['call of b', 'b'],
  ]);
});
