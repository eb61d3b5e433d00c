/** What a run is started with, and the parts of it that others get to know. */
import { defined } from '../base/values/defined.ts';
import type { OnDisconnect } from './local-runs.ts';
import type { Hold } from './records/background-records.ts';
import type { Idempotency, RunWebhook } from './records/run-records.ts';
import type { RunSpec } from './start-run.ts';

/** The right to a run in the background, from the store. */
export interface BackgroundHold extends Hold {
  /** Resolves with whether it is still valid. */
  confirm(): Promise<boolean>;
}

export interface StartOptions extends Omit<RunSpec, 'search_id' | 'attempt'> {
  /** A new one by default. */
  readonly search_id?: string;
  /** ISO 8601; now by default. */
  readonly created_at?: string;
  /** For a run in the background, which needs no reader and is continued by another process when this one ends. */
  readonly background?: BackgroundHold | undefined;
  readonly onDisconnect: OnDisconnect;
  /** With `onDisconnect: 'grace'`, how long the run continues without readers. */
  readonly grace_ms: number;
  readonly idempotency: Idempotency | undefined;
  readonly webhook?: RunWebhook | undefined;
}

/** What other processes and the record know of a run, from its start. */
export function describeRun(options: StartOptions, search_id: string, created_at: string) {
  const {
    account_id,
    prompts,
    mode,
    door = 'native',
    engine,
    idempotency,
    channel,
    key_id,
    background,
    echoed,
  } = options;
  return {
    search_id,
    account_id,
    created_at,
    prompts,
    mode,
    door,
    engine,
    idempotency,
    ...defined({ channel, key_id, echoed, attempt: background?.attempt }),
  };
}

/**
 * The parts that only other processes have: they record the end of the run if this process dies, unless it is in the
 * background. Of webhooks, they have those whose secret is not readable.
 */
export function pickForPeers({ request_id, background, webhook }: StartOptions, encryptsSecrets: boolean) {
  const isReadable = webhook?.secret != null && !encryptsSecrets;
  return { request_id, ...(webhook === undefined || background !== undefined || isReadable ? {} : { webhook }) };
}

/** The parts that only the record has. */
export function pickForRecord({ background, webhook, traceparent }: StartOptions) {
  return {
    ...(background === undefined ? {} : { owner: background.owner }),
    ...(webhook === undefined ? {} : { webhook }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
