/** A search that has ended, as a run: only its log is left. */
import type { RunState } from '../../../protocol/index.ts';
import type { RunLog } from '../log.ts';
import type { RunRecord } from '../records/run-records.ts';
import { replay } from '../replay.ts';
import type { Run } from '../run.ts';

export type AboutRun = Pick<Run, 'search_id' | 'account_id' | 'created_at' | 'prompts' | 'attempt' | 'echoed'>;

/** The run of a search that has ended; `log` has its terminal event, and `state` is what that says. */
export function endedRun(about: AboutRun, log: RunLog, state: RunState): Run {
  const { search_id, account_id, created_at, prompts, attempt, echoed } = about;
  return {
    search_id,
    account_id,
    created_at,
    prompts,
    log,
    attempt,
    echoed,
    done: Promise.resolve(log.terminal()!),
    state: () => state,
    isEnding: () => false,
    reaches: async (seq) => (seq <= log.head() ? 'held' : 'ahead'),
    cancel: () => {},
  };
}

/** A search whose log is gone: it is rebuilt from its record. */
export function recordedRun(record: RunRecord): Run {
  return endedRun(record, replay(record), record.state);
}
