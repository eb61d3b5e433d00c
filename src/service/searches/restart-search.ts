/**
 * Restarts a background search that an earlier process left behind, from what was stored of it, if its caller may still search.
 * A search that cannot be restarted ends with the reason.
 */
import type { SearchEvent } from '../../../protocol/index.ts';
import type { Caller } from '../../access/identity.ts';
import { AppError } from '../../base/errors.ts';
import type { ClaimedRun } from '../../runs/records/background-records.ts';
import type { Registry } from '../../runs/registry.ts';
import type { Run } from '../../runs/run.ts';
import type { BackgroundHold } from '../../runs/start-options.ts';
import type { CallAccess } from '../calls.ts';
import type { RestartSearch } from './background.ts';
import type { StartSearch } from './start-search.ts';
import type { StoredSearch } from './stored-search.ts';

/** `engine` is the name of the engine. */
export function createRestartSearch(parts: {
  readonly access: Pick<CallAccess, 'identify'>;
  readonly runs: Registry;
  readonly start: StartSearch;
  readonly engine: string;
}): RestartSearch {
  const { access, runs, start, engine } = parts;

  /** A run that does nothing but end: with this failure, or when it is cancelled. */
  function endWith(claimed: ClaimedRun, background: BackgroundHold, reason: AppError | undefined): Promise<Run> {
    const { deaths: _, isCancelled: _is, input, attempt: _attempt, ...about } = claimed;
    const { webhook, channel, caller } = JSON.parse(input) as StoredSearch;
    const asked = { channel, key_id: caller.key_id };
    const rest = {
      ...asked,
      request_id: claimed.search_id,
      deadline_ms: endMs,
      onDisconnect: 'continue',
      grace_ms: 0,
    } as const;
    return runs.start({ ...about, ...rest, engine, background, webhook }, () => endingWith(reason));
  }

  return async (claimed, hold, { signal, reason }) => {
    if (reason === 'cancelled') {
      const run = await endWith(claimed, hold, undefined);
      run.cancel('client');
      return run;
    }
    if (reason !== undefined) return endWith(claimed, hold, reason);
    const {
      spec,
      caller: known,
      request_id,
      maxSeconds,
      webhook,
      traceparent,
      channel,
    } = JSON.parse(claimed.input) as StoredSearch;
    const { search_id, created_at, door, idempotency, echoed } = claimed;
    let caller: Caller;
    try {
      caller = await access.identify(known);
      const call = { request_id, door, channel, signal, on_disconnect: 'continue', traceparent } as const;
      const restarted = { search_id, created_at, hold, webhook };
      return await start({ caller, call, spec, maxSeconds, idempotency, echoed, restarted });
    } catch (error) {
      if (!(error instanceof AppError) || isForNow(error)) throw error;
      return endWith(claimed, hold, error);
    }
  };
}

/** Longer than it takes to record a failure. */
const endMs = 60_000;

/** Yields nothing: throws the reason, or waits to be cancelled. */
async function* endingWith(reason: AppError | undefined): AsyncGenerator<SearchEvent, void> {
  if (reason !== undefined) throw reason;
  await new Promise(() => {});
}

/** Whether the search may begin later. */
function isForNow({ code }: AppError): boolean {
  return ['overloaded', 'server_shutdown', 'too_many_searches', 'rate_limited'].includes(code);
}
