/**
 * People who have just installed the server ask about it, and seldom name it: "How do I change the port?". In the index
 * that the server fills by itself, with the documentation of the installed packages, a question that names none of them is
 * taken to be about this one. An index with other sources has no such preference.
 */

import { ownPackage, ownPath, packageOf } from '../../base/own-documentation.ts';
import { plainWordsIn } from '../../base/text/plain-words.ts';

/** Where the pages of this package are, in the columns of the index. */
export const ownPlace = { site: 'net.jsdelivr.cdn', path: ownPath };
/**
 * Passages of this package that are reranked in addition to the others; about half of it, so that a common word finds its
 * question. Set by hand.
 */
export const maxOwn = 256;

/** Added to the score of a passage of this package, which is between 0 and about 15. Set by hand on `npm run bench -- documentation`. */
const ownBonus = 4;

interface Titled {
  readonly title: string;
}

/** Returns the bonus of a candidate for a query with these words, given all candidates: 0 where the query names another package. */
export function createOwnBonus(candidates: readonly Titled[], words: readonly string[]): (candidate: Titled) => number {
  const asked = new Set(words);
  const subjects = new Set(candidates.map(({ title }) => packageOf(title)));
  subjects.delete(ownPackage);
  const namesAnother = [...subjects].some((subject) => {
    const parts = plainWordsIn(subject);
    return parts.length > 0 && parts.every((part) => asked.has(part));
  });
  if (namesAnother) return () => 0;
  return ({ title }) => (packageOf(title) === ownPackage ? ownBonus : 0);
}
