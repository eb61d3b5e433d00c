/**
 * One word in place of another: a word that no list knows, such as "yaml" for "toml", is a name, whatever its case. And of
 * "more" and "less" in one sentence, each must stand with its own words.
 */
import { isListed, relate } from '../reading/word-relations.ts';
import { type Check, contradicted, type Fault } from './fault.ts';

const degrees = new Set(
  'more less fewer higher lower larger smaller greater better worse longer shorter faster slower up down increase decrease above below enabled disabled true false'.split(
    ' ',
  ),
);

/** Looks for words that changed while everything around them stayed. */
export const checkSubstitutes: Check = (claim, source, { matches, substitutions }) => {
  const faults: Fault[] = [];
  for (const { said, found } of substitutions) {
    const [one, other] = [claim.tokens[said]!, source.tokens[found]!];
    if (!isListed(one.stem) && !isListed(other.stem) && one.kind === 'content' && other.kind === 'content')
      faults.push(contradicted('substitute', `${one.text} instead of ${other.text}`));
  }
  for (const [at, { at: to, relation, inOrder }] of matches) {
    // A word in its place is said of the same thing, unless it is a degree, which may occur twice.
    if (relation !== 'same' || (inOrder && !degrees.has(claim.tokens[at]!.lower))) continue;
    const rivals = source.words.filter(
      (index) => relate(claim.tokens[at]!.stem, source.tokens[index]!.stem) === 'opposite',
    );
    if (rivals.length === 0) continue;
    const distance = (from: number, index: number) =>
      Math.abs(from - index) + 20 * Math.abs(source.clauses[from]! - source.clauses[index]!);
    let [pro, contra] = [0, 0];
    for (const [word, { at: other }] of matches) {
      if (word === at || claim.tokens[word]!.kind === 'light') continue;
      const away = Math.min(...rivals.map((rival) => distance(other, rival)));
      if (away < distance(other, to)) contra += 1;
      else pro += 1;
    }
    if (contra > pro) faults.push(contradicted('degree', `"${claim.tokens[at]!.text}" is said of something else`));
  }
  return faults;
};
