/** The logs of test/compat/logs as logs, in which they can be read as the doors read them. */
import { readFileSync } from 'node:fs';
import type { SearchFrame, TerminalEvent } from '../../protocol/index.ts';
import { createRunLog, type Entry, type RunLog } from '../../src/runs/log.ts';
import { nextEntry } from '../../src/runs/next-entry.ts';
import type { Run } from '../../src/runs/run.ts';

export const recordedNames = [
  'text',
  'partial',
  'conflicting',
  'structured',
  'refused',
  'failed',
  'cancelled',
] as const;
export type RecordedName = (typeof recordedNames)[number];

/** The events of a recorded search, in their order. */
function readRecorded(name: RecordedName): SearchFrame[] {
  const text = readFileSync(new URL(`./logs/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SearchFrame);
}

/** The ended run of a recorded search, as far as a mapper needs it. */
export function recordedRun(
  name: RecordedName,
): Pick<Run, 'search_id' | 'created_at' | 'log'> & { ended: TerminalEvent } {
  const frames = readRecorded(name);
  const { search_id, at } = frames[0]!;
  const log = createRunLog(search_id);
  for (const { search_id: _, seq, first_seq = seq, at, ...event } of frames) {
    log.adopt({ first_seq, seq, at, event: event as Entry['event'] });
  }
  return { search_id, created_at: at, log, ended: log.terminal()! };
}

const isCompleted = (name: RecordedName) => recordedRun(name).ended.type === 'search.completed';
export const completedNames = recordedNames.filter(isCompleted);
export const otherNames = recordedNames.filter((name) => !isCompleted(name));

/** What a format makes of a log, read an entry at a time or, with `lags`, by a reader who comes when it has ended. */
export function formatLog(log: RunLog, format: (entry: Entry) => string, lags = false): string {
  let text = '';
  for (let after = 0; after < log.head(); ) {
    const entry = lags ? nextEntry(log, after)! : log.entry(after + 1)!;
    text += format(entry);
    after = entry.seq;
  }
  return text;
}
