/**
 * The search by words. A document or a folder says a thing once, in words of its own, so an index that has little within reach is
 * also asked in other words for those of the question.
 */
import { untilAborted } from '../../base/abort.ts';
import type { CorpusQuery } from '../../engine/ports/corpus.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';
import type { CallWorker } from '../worker-rpc.ts';
import { fuseLists } from './fuse-lists.ts';
import type { IndexReader } from './read-index.ts';

/** Words and phrases, separated by blanks, that a text may have for those of a question; empty if none are known. */
export type OtherWords = (question: string) => string;

/** Rejects as the index's search does, or with the signal's reason. */
export async function searchWords(
  read: CallWorker<IndexReader>,
  query: CorpusQuery,
  signal: AbortSignal,
  otherWords: OtherWords = () => '',
): Promise<Passage[]> {
  const found = await untilAborted(read('search', query), signal);
  if (found.length > 0 && !isOfFew(found)) return found;
  const others = otherWords(query.text);
  if (others === '') return found;
  const text = `${query.text} ${others}`;
  const further = await untilAborted(read('search', { ...query, text }), signal);
  if (!isOfFew(further)) return found;
  const lists = [
    { passages: found, weight: 1 },
    // Coverage is of the words that were asked, not of those that may answer them.
    { passages: further.map((passage) => ({ ...passage, coverage: 0 })), weight: 1 },
  ];
  return fuseLists(lists, query.limit).map(({ passage }) => passage);
}

function isOfFew(passages: readonly Passage[]): boolean {
  return passages.some(({ corpusSize }) => corpusSize !== undefined);
}
