/** A search whose log is gone, as a run that has ended: its log is rebuilt from its record. */
import { replay } from './replay.ts';
import type { Reach, Run } from './run.ts';
import type { RunRecord } from './run-records.ts';

/** A recorded search as an ended run. */
export function endedRun(record: RunRecord): Run {
  const { search_id, account_id, created_at, prompts, attempt, terminal } = record;
  const log = replay(record);
  const done = Promise.resolve(terminal);
  const reaches = async (seq: number): Promise<Reach> => (seq <= log.head() ? 'held' : 'ahead');
  return {
    search_id,
    account_id,
    created_at,
    prompts,
    log,
    attempt,
    done,
    state: () => record.state,
    reaches,
    cancel: () => {},
  };
}
