/**
 * Keys that are restricted to collections, or to scopes without `search`. Such a key sees of its account only what it searched
 * itself: the searches that it starts bear its mark in their ids, so whether it may see one can be decided from the id alone, and
 * with it threads, whose ids are those of their first searches. One that is restricted to collections may not use anything that
 * belongs to the whole account.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../base/errors.ts';
import { markIn } from '../base/search-mark.ts';
import type { Caller } from './identity.ts';
import { mayUse } from './scopes.ts';

export type MarkedCaller = Pick<Caller, 'key_id' | 'collections' | 'scopes'>;

/** Hex digits that distinguish the keys of one account. Set by hand. */
const markLength = 12;

/** The suffix of the ids of the caller's searches; undefined for a caller who sees the whole account. */
export function markOf(caller: MarkedCaller): string | undefined {
  if (caller.collections === undefined && mayUse(caller, 'search')) return undefined;
  return createHash('sha256').update(`search\n${caller.key_id}`).digest('hex').slice(0, markLength);
}

/** Whether the caller may see a search of its account, or a thread, by its id. */
export function maySee(caller: MarkedCaller, id: string): boolean {
  const mark = markOf(caller);
  return mark === undefined || markIn(id) === mark;
}

/** A name that the caller chose, such as an idempotency key, as its account keeps it: restricted keys have names of their own. */
export function privateName(caller: MarkedCaller, name: string): string {
  const mark = markOf(caller);
  return mark === undefined ? name : `${mark}/${name}`;
}

/** Throws `forbidden` if the caller's key is restricted to collections. `may` is what it may not do. */
export function checkUnrestricted({ collections }: Pick<Caller, 'collections'>, may: string): void {
  if (collections === undefined) return;
  throw new AppError('forbidden', `This key may not ${may}: it is restricted to collections.`);
}
