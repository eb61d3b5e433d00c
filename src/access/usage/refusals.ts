/**
 * The log of refused calls: what was refused to which key of an account, and why. Refusals are collected here and written every
 * 5 s and before they are listed, so that refusing costs no query; a process that is killed loses what it has not written. The
 * newest of each account are kept.
 *
 * The public part of a key is no secret, so anybody who knows it can be refused in its name: of a call whose secret is wrong nothing is
 * kept but that there was one, and a few of those, so that they push out nothing else. What was sent in the wrong place may be a
 * secret: a message is kept without it.
 */
import type { Refusal, RefusalList } from '../../../protocol/index.ts';
import type { AppError } from '../../base/errors.ts';
import { createBatchWriter } from '../batched-writes.ts';
import { hashSecret, parseKey, sameHash } from '../keys.ts';
import { createMemoryLimiter } from '../limiter/memory.ts';
import type { Limit } from '../plans.ts';
import { tooManyFailures } from '../sign-in-throttle.ts';
import { redact } from './redact.ts';

/** Who was refused: a key as it was sent, or that of a connection. */
export type RefusedKey = { readonly api_key: string | undefined } | { readonly key_id: string };

export type RefusedCall = Pick<Refusal, 'method' | 'path' | 'request_id'>;

/** The store implements this port. */
export interface RefusalRecords {
  /** The hashes of the secrets of these keys, by id, as far as there are such keys. */
  secretHashes(key_ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Adds those of known keys, and forgets all but the `keep` newest of each of their accounts. */
  addRefusals(refusals: readonly Refusal[], keep: number): Promise<void>;
  /** Newest first; an invalid cursor is refused with a `validation_error`. */
  refusals(
    account_id: string,
    page: { readonly cursor: string | undefined; readonly limit: number; readonly key_id?: string | undefined },
  ): Promise<RefusalList>;
  /** Removes up to `limit` that are older; resolves with whether any remain. */
  removeRefusalsBefore(at: string, limit: number): Promise<boolean>;
}

export interface Refusals {
  /** Notes the error if it refuses a call, and if a key was sent. */
  add(key: RefusedKey, call: RefusedCall, error: AppError): void;
  list(...span: Parameters<RefusalRecords['refusals']>): Promise<RefusalList>;
  /** Writes those that are not written yet. */
  close(): Promise<void>;
}

/**
 * How often they are written, how many of an account are kept, and how many wait at most: then no more are noted. Set by hand.
 */
const writeMs = 5_000;
export const keptRefusals = 500;
const maxWaiting = 2_000;
/** Calls with a wrong secret, or that of a revoked key, that are noted for a key; set by hand. */
const invalidKeys: Limit = { bucket: 'invalid_keys', policy: 'invalid_keys', limit: 5, window_s: 600 };
/** UTF-16 units of a path and of a message. Set by hand. */
const maxText = 300;

/** 401, 403, 409, 413, 415, 422 and 429: not 404, which says that something is not there, nor what the server failed at. */
const refusing = new Set([401, 403, 409, 413, 415, 422, 429]);

interface Noted {
  readonly refusal: Refusal;
  /** Of the key as it was sent; absent for a connection, whose key was right. */
  readonly secret_hash: string | undefined;
}

/** Refusals that cannot be written are dropped: the store is unreachable, and says so elsewhere. */
export function createRefusals(options: { readonly records: RefusalRecords; readonly now?: () => number }): Refusals {
  const { records, now = () => Date.now() } = options;
  let waiting: Noted[] = [];
  const invalid = createMemoryLimiter({ capacity: 50_000 });
  const { write, close } = createBatchWriter(writeMs, async () => {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) await add(batch);
  });

  async function add(batch: readonly Noted[]): Promise<void> {
    const sent = batch.filter(({ secret_hash }) => secret_hash !== undefined);
    const ids = [...new Set(sent.map(({ refusal }) => refusal.key_id))];
    const hashes = ids.length === 0 ? undefined : await records.secretHashes(ids);
    const known = batch.flatMap(({ refusal, secret_hash }) => {
      const { key_id, status } = refusal;
      const expected = hashes?.get(key_id);
      const isRight = secret_hash === undefined || (expected !== undefined && sameHash(expected, secret_hash));
      if (isRight && status !== 401) return refusal;
      // Without the right secret, what else is wrong with a call is its sender's business.
      if (status !== 401 || !invalid.takeNow(key_id, invalidKeys).allowed) return [];
      return isRight ? refusal : { ...refusal, path: '' };
    });
    if (known.length > 0) await records.addRefusals(known, keptRefusals);
  }

  return {
    add(key, { method, path, request_id }, { status, code, message }) {
      if (!refusing.has(status) || waiting.length >= maxWaiting || message === tooManyFailures) return;
      const key_id = 'key_id' in key ? key.key_id : key.api_key && parseKey(key.api_key);
      if (!key_id) return;
      const at = new Date(now()).toISOString();
      const refusal = { at, key_id, method, path: cut(path), status, code, message: cut(message), request_id };
      waiting.push({ refusal, secret_hash: 'key_id' in key ? undefined : hashSecret(key.api_key!) });
    },

    async list(...span) {
      await write();
      // Servers of earlier versions wrote what was sent.
      const { items, ...more } = await records.refusals(...span);
      return { items: items.map((each) => ({ ...each, message: redact(each.message) })), ...more };
    },

    close,
  };
}

function cut(text: string): string {
  return redact(text).slice(0, maxText).replaceAll('\0', '').toWellFormed();
}
