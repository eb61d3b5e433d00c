/**
 * What identical queries found, for a minute: people and programs ask the same question again, and several at a time. Only
 * one of the calls that arrive together searches, because a reader works on one at a time and the others find its result.
 *
 * A result is used only for the same words, limit, source rules, account, sources and whatever else a query says, and only while the
 * index is as it was then: the file counts its changes, whichever process made them. Accounts for which every page is within reach
 * share results.
 */
import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { CorpusQuery, PagesReach } from '../../engine/ports/corpus.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';
import type { Prepare } from '../sqlite/prepare.ts';

/** Set by hand: about 80 results of 24 passages. */
const maxBytes = 2 * 2 ** 20;
const keptMs = 60_000;
/** Assumed size of what holds a result, bytes. */
const entryBytes = 200;

/**
 * A `search` that remembers what `find` returned. To be called within a read transaction, so that the count of changes and the
 * result belong together. `canReadAll` says whether every page is within reach. `keepMs` is a minute by default.
 */
export function cacheSearches(
  find: (query: CorpusQuery) => Passage[],
  prepare: Prepare,
  canReadAll: (reach: PagesReach) => boolean,
  keepMs = keptMs,
): (query: CorpusQuery) => Passage[] {
  // As bytes outside the heap: objects that live for a minute fragmented it, and 8 MiB could not be freed.
  const found = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: bytesOf, ttl: keepMs });
  let changes: unknown;

  return (query) => {
    const now = prepare('SELECT n FROM changes').pluck().get();
    if (now !== changes) found.clear();
    changes = now;
    // All that the query says, so that nothing which is added to it can be left out here.
    const { fresh = false, ...asked } = query;
    const key = JSON.stringify(canReadAll(asked) ? { ...asked, owner: undefined, readsAll: true } : asked);
    const known = fresh ? undefined : found.get(key);
    if (known !== undefined) return deserialize(known);
    const passages = find(query);
    // A copy, because a serialiser reserves up to twice as much.
    found.set(key, Buffer.from(serialize(passages)));
    return passages;
  };
}

/** A string takes up to two bytes per code unit. */
function bytesOf(result: Buffer, key: string): number {
  return entryBytes + 2 * key.length + result.byteLength;
}
