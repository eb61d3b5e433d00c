/** What a check of `citewire doctor` is. Each has a file of its own beside this one, and a row in doctor.ts. */
import type { Config } from '../../base/config.ts';

/** `problem` makes the exit code 1; `skipped` says that there was nothing to check. */
export type Status = 'ok' | 'warning' | 'problem' | 'skipped';

/** `message` is one sentence without secrets, and `fix` one that says what to do. */
export interface Finding {
  readonly status: Status;
  readonly message: string;
  readonly fix?: string;
}

export interface Examination {
  readonly config: Config;
  /** Aborted when the time for the check is up. */
  readonly signal: AbortSignal;
  /** Takes the time of another machine, in ms since 1970, for the check of the clock. */
  reportTime(from: string, ms: number): void;
}

/** May reject with an Error whose message says what is wrong, without secrets. */
export type Check = (examination: Examination) => Promise<Finding | readonly Finding[]>;

/** Everything is well. */
export function ok(message: string): Finding {
  return { status: 'ok', message };
}

/** Nothing is configured that could be checked. */
export function skipped(message: string): Finding {
  return { status: 'skipped', message };
}

/** It works, and is worth a look. */
export function warning(message: string, fix: string): Finding {
  return { status: 'warning', message, fix };
}

/** It does not work. */
export function problem(message: string, fix: string): Finding {
  return { status: 'problem', message, fix };
}

/** The message of an error, without the full stop at its end. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return (message || code || String(error)).replace(/\.$/, '');
}
