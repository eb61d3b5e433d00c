/** The logs of real searches as the events and the output of a task run. */
import { describe, expect, it } from 'vitest';
import { type CompletedEvent, ParallelOutput, ParallelTaskRun } from '../../../protocol/index.ts';
import { taskEvents } from '../../../src/compat/parallel/tasks/events.ts';
import { outputOf } from '../../../src/compat/parallel/tasks/output.ts';
import { completedNames, formatLog, recordedNames, recordedRun } from '../recorded-log.ts';

interface Event {
  readonly type: string;
  readonly run?: ParallelTaskRun;
  readonly output?: unknown;
}

const states = { 'search.completed': 'completed', 'search.failed': 'failed', 'search.cancelled': 'cancelled' } as const;

describe.each([false, true])('the events of a task run, to a reader that lags: %s', (lags) => {
  it.each(recordedNames)('end with its state, once: %s', (name) => {
    const { log, ended, ...run } = recordedRun(name);
    const blocks = formatLog(log, taskEvents({ ...run, echoed: undefined }), lags).split('\n\n');
    expect(blocks.pop()).toBe('');
    const events = blocks.map((block) => {
      const [type, data] = block.split('\n');
      const event = JSON.parse(data!.replace(/^data: /, '')) as Event;
      expect(type).toBe(`event: ${event.type}`);
      return event;
    });
    const ends = events.filter(({ run: task }) => task !== undefined && !task.is_active);
    expect(ends).toEqual([events.at(-1)]);
    const { run: task, output } = ends[0]!;
    expect(ParallelTaskRun.strict().parse(task)).toMatchObject({ status: states[ended.type] });
    expect(task!.error === null).toBe(ended.type === 'search.completed');
    if (ended.type === 'search.completed') expect(output).toEqual(JSON.parse(JSON.stringify(outputOf(ended))));
    else expect(output).toBeNull();
  });
});

describe('the output of a task run', () => {
  it.each(completedNames)('quotes only what is cited, a row for each field at the top: %s', (name) => {
    const ended = recordedRun(name).ended as CompletedEvent;
    const { content, basis } = ParallelOutput.parse(outputOf(ended));
    const quotes = ended.citations.map(({ quote }) => quote);
    for (const { citations, confidence } of basis) {
      for (const { url, excerpts } of citations) {
        expect(ended.sources.map((source) => source.url)).toContain(url);
        expect(excerpts.length).toBeGreaterThan(0);
        expect(excerpts.filter((excerpt) => !quotes.includes(excerpt))).toEqual([]);
      }
      if (confidence === null) expect(citations).toEqual([]);
    }
    const fields = basis.map(({ field }) => field).filter((field) => !/\.\d+$/.test(field));
    expect(fields).toEqual(typeof content === 'string' ? ['output'] : Object.keys(content));
  });
});
