/**
 * Rebuilds a log from the record of an ended search. It is not the original log, but it follows the same rules and leads
 * to the same state. Used once the log is gone, and when a request is repeated under an idempotency key.
 */
import {
  type SearchEvent,
  type SearchEventOf,
  structuredOutput,
  type TerminalEvent,
  type TextResult,
} from '../../protocol/index.ts';
import { createRunLog, type RunLog } from './log.ts';
import type { RecordedStep, RunRecord } from './records/run-records.ts';

/** Characters of steps that a record keeps; set by hand: many times those of a deep search. */
const maxSteps = 64 * 1024;

/** The steps of a log for its record; without the last ones if they would take too much. */
export function stepsOf(log: Pick<RunLog, 'entry' | 'head'>): RecordedStep[] {
  const steps: RecordedStep[] = [];
  let characters = 0;
  for (let entry = log.entry(1); entry !== undefined; entry = log.entry(entry.seq + 1)) {
    const { at, event } = entry;
    if (event.type !== 'step.started' && event.type !== 'step.finished') continue;
    characters += JSON.stringify(event).length;
    if (characters > maxSteps) break;
    steps.push({ at, event });
  }
  return steps;
}

/** An ended log with an entry per step, source, citation and block of the recorded search, at the times of its record. */
export function replay({ search_id, created_at, ended_at, mode, engine, steps = [], terminal }: RunRecord): RunLog {
  let at = created_at;
  const log = createRunLog(search_id, () => Date.parse(at));
  log.append({ type: 'search.accepted', created_at, deadline_at: created_at, mode, engine });
  for (const step of steps) {
    at = step.at;
    log.append(step.event);
  }
  at = ended_at;
  if (terminal.type === 'search.completed') for (const event of eventsOf(search_id, terminal)) log.append(event);
  log.append(terminal);
  return log;
}

function* eventsOf(
  search_id: string,
  { sources, citations, evidence, result }: SearchEventOf<'search.completed'>,
): Generator<SearchEvent> {
  for (const source of sources) yield { type: 'source.added', source };
  if (evidence === undefined) {
    const { answer } = result as TextResult;
    const block = citations[0]?.block ?? 'b1';
    if (answer === '') return;
    yield { type: 'answer.delta', block, from: 0, text: answer };
    for (const citation of citations) yield { type: 'citation.added', citation };
    yield {
      type: 'answer.block.done',
      block,
      kind: 'markdown',
      text: answer,
      citations: citations.map(({ id }) => id),
    };
    return;
  }
  const ops = Object.entries(structuredOutput(result, search_id)).map(([key, value]) => {
    return { op: 'set' as const, path: `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`, value };
  });
  yield { type: 'result.patch', ops };
  for (const citation of citations) yield { type: 'citation.added', citation };
}

/** The state of the search that a log is of. */
export function stateOfLog(log: Pick<RunLog, 'terminal'>): 'running' | RunRecord['state'] {
  const terminal = log.terminal();
  return terminal === undefined ? 'running' : stateOf(terminal);
}

/** The state of a search by its terminal event. */
export function stateOf(terminal: TerminalEvent): RunRecord['state'] {
  if (terminal.type === 'search.completed') return 'completed';
  return terminal.type === 'search.failed' ? 'failed' : 'cancelled';
}
