/** A search as a task run of Parallel. Its id is made of the id of the search. */
import type { ParallelTaskRun, RunState } from '../../../../protocol/index.ts';
import { type AppError, notFound } from '../../../base/errors.ts';
import type { Echoed } from '../../../runs/records/run-records.ts';
import { errorOf } from '../errors.ts';

/** What a run repeats of its request. */
export type Given = Pick<ParallelTaskRun, 'processor' | 'metadata'>;

/** What a run says of its search. */
export interface About {
  readonly search_id: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly ended_at?: string | undefined;
  readonly state: RunState;
  /** Why it failed. */
  readonly error?: AppError | undefined;
  readonly echoed?: Echoed | undefined;
}

const prefix = 'trun_';

/** Where none is named, and for a search that came through another door. */
export const defaultProcessor = 'core';

/** The id of the search of a run. Throws `not_found` if it is not the id of a run. */
export function searchIdOf(run_id: string): string {
  if (run_id.startsWith(prefix)) return run_id.slice(prefix.length);
  throw notFound('task run', run_id);
}

/** The run of a search. */
export function taskRunOf({
  search_id,
  created_at,
  ended_at = created_at,
  state,
  error,
  echoed,
}: About): ParallelTaskRun {
  const given: Given = { processor: defaultProcessor, metadata: null, ...echoed };
  const run_id = prefix + search_id;
  return {
    run_id,
    interaction_id: run_id,
    status: state,
    is_active: state === 'running',
    processor: given.processor,
    metadata: given.metadata,
    warnings: null,
    error: error === undefined ? null : errorOf(error, run_id),
    taskgroup_id: null,
    created_at,
    modified_at: ended_at,
  };
}
