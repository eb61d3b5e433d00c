/** Copies the vectors of a corpus into its twin, since they cost money or hours to make again, and compares them. */
import { createHash } from 'node:crypto';
import { passageKey } from '../../base/snapshot-id.ts';
import type { CorpusBackend } from '../backend.ts';
import { toBytes } from './quantize.ts';
import type { EmbeddedPassage } from './vector-index.ts';

export interface CopiedVectors {
  /** Passages whose vectors are in both; 0 where there are none. */
  readonly vectors: number;
  /** Why they were left out, in one sentence; undefined if they were not. */
  readonly leftOut: string | undefined;
}

/** Vectors copied with one call; set by hand, about a megabyte. */
const batch = 256;

/**
 * Leaves them out where the other one cannot keep vectors, or has those of another model. Rejects when the copies differ, or with
 * the reason of `signal`. Passages have to be copied before.
 */
export async function copyVectors(from: CorpusBackend, to: CorpusBackend, signal: AbortSignal): Promise<CopiedVectors> {
  const { space, items } = await from.read('exportVectors', 0, 1);
  if (items.length === 0) return { vectors: 0, leftOut: undefined };
  const own = await to.read('exportVectors', 0, 1);
  if (own.items.length > 0 && own.space !== space)
    return { vectors: 0, leftOut: 'The vectors at the destination are of another model.' };
  await to.write('useSpace', space);
  const { trouble } = await to.read('vectorState', space);
  if (trouble !== undefined) return { vectors: 0, leftOut: trouble };
  for await (const part of partsOf(from, signal)) await to.write('putVectors', space, part);
  const [expected, found] = [await hashesOf(from, signal), await hashesOf(to, signal)];
  const differing = [...expected].filter(([place, hash]) => found.get(place) !== hash).length;
  if (differing > 0)
    throw new Error(
      `Expected a copy of ${expected.size} vectors; ${differing} are missing or differ. If something was indexed meanwhile, run it again.`,
    );
  return { vectors: expected.size, leftOut: undefined };
}

async function* partsOf({ read }: CorpusBackend, signal: AbortSignal): AsyncGenerator<readonly EmbeddedPassage[]> {
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const { items } = await read('exportVectors', after, batch);
    const last = items.at(-1);
    if (last === undefined) return;
    yield items;
    after = last.n;
  }
}

/** A hash of the vector of each passage, as bytes: both twins can return those, and they change no angle. */
async function hashesOf(backend: CorpusBackend, signal: AbortSignal): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for await (const part of partsOf(backend, signal)) {
    for (const passage of part) {
      const bytes = passage.vector === undefined ? '' : toBytes(passage.vector);
      hashes.set(passageKey(passage), createHash('sha256').update(bytes).digest('base64'));
    }
  }
  return hashes;
}
