/**
 * Whether a page has the words of a claim as they are: whole sentences of them, or a stretch of one that nothing beside it limits. There is
 * then no order to judge.
 */
import type { SourceText } from './closest-sentences.ts';
import type { Token } from './reading/read-text.ts';
import type { Reading } from './reading/reading.ts';
import { isOpinion } from './structure/pair-clauses.ts';

/** Whether the words of a claim, but for an article, a pronoun or "then" at its start, are a stretch of the source. */
export function isCopied(claim: Reading, source: Reading): boolean {
  // Figures agree, or there would be a fault: "12,000,000" may stand for "12 million".
  const words = ({ tokens, isFigure }: Reading) =>
    tokens.flatMap(({ kind, lower }, at) =>
      isFigure[at] ? (isFigure[at - 1] ? [] : ['#']) : kind === 'mark' ? [] : [lower],
    );
  const [first] = claim.tokens;
  const said = words(claim).slice(first?.kind === 'function' && !meaningful.test(first.lower) ? 1 : 0);
  const own = new Set(said);
  return (
    said.length > 1 &&
    ` ${words(source).join(' ')} `.includes(` ${said.join(' ')} `) &&
    !source.tokens.some(({ lower, stem }) => !own.has(lower) && (limiting.test(lower) || isOpinion(stem)))
  );
}

/** Function words that say something of what follows; others, such as an article, a pronoun or "then", may come before a copy. */
const meaningful =
  /^(?:from|until|till|since|before|after|to|by|without|against|no|not|neither|nor|none|never|nobody|if|unless|only|few|most|all)$/;
/** Words that limit what is copied beside them. */
const limiting =
  /^(?:only|except|unless|if|not|never|no|nor|neither|unlike|apart|without|with|until|hardly|nearly|almost|rather|instead|whether|than)$/;

/** Words of a label that say that what follows is not so, or only seems so. */
const doubting =
  /^(?:not|no|never|false|wrong|untrue|myth|claim|rumou?r|lie|if|incorrect|fake|supposed\w*|alleged\w*|unclear|opinion|question)$/;
/** Words of the longest label; set by hand. */
const maxLabel = 3;

/** What follows "Point 3:" or "Opening:"; nothing if there is no such label, or one that doubts what follows. */
export function withoutLabel(tokens: readonly Token[]): readonly Token[] {
  const colon = tokens.findIndex(({ text }) => text === ':');
  const label = tokens.slice(0, Math.max(0, colon));
  return label.length === 0 || label.length > maxLabel || label.some(({ lower }) => doubting.test(lower))
    ? []
    : tokens.slice(colon + 1);
}

/** Whole sentences, one or several in a row, that have the words of a claim and no others, in any case and with any marks. */
export function findSame(
  claim: readonly Token[],
  { sentences }: SourceText,
): { start: number; end: number } | undefined {
  const said = claim.filter(isSpoken).map(({ lower }) => lower);
  if (said.length === 0) return undefined;
  for (const [first, { start }] of sentences.entries()) {
    let at = 0;
    for (let next = first; next < sentences.length && at < said.length; next += 1) {
      const { tokens, end } = sentences[next]!;
      const words = tokens.filter(isSpoken);
      if (!words.every(({ lower }, index) => lower === said[at + index])) break;
      at += words.length;
      if (at === said.length) return { start, end };
    }
  }
  return undefined;
}

/** Marks say nothing, nor does the "s" of a possessive that emphasis has cut off: "**Lang**'s". */
function isSpoken({ kind, lower }: Token): boolean {
  return kind !== 'mark' && lower !== 's';
}
