/**
 * Shows less of a long sentence, as a person who reads it out would: without an aside in parentheses, or only those of its main
 * clauses that answer. What is left is a sentence by itself, in the words and the order of its author. Nothing goes that the
 * question asks about or that limits what is left, such as "but …", "if …" or "not …".
 */
import { createTermMatcher } from '../match/term-matcher.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { QuestionKind } from '../question/question-kinds.ts';
import { createKindTest } from '../rank/answer-type-features.ts';
import type { ReadUnit } from '../text/passages.ts';
import { countWords } from '../text/words.ts';
import { pieceWords } from './surroundings.ts';

/** What is left out of a text: offsets, in order. */
type Cut = readonly (readonly [start: number, end: number])[];

/** The text of a sentence with at most `pieceWords` words, or all of it if it cannot be cut to that. */
export function shorten(question: AnalysedQuestion, unit: ReadUnit): string {
  const { text } = unit;
  if (unit.kind !== 'sentence' || countWords(text) <= pieceWords) return text;
  const asides = asidesIn(text);
  const ends = endsOf(unit);
  const cuts: Cut[] = [asides, ...mainClauses(unit), ...ends, ...ends.map((end) => join(asides, end))];
  const isNeeded = createNeedTest(question, unit);
  for (const cut of cuts) {
    if (cut.length === 0) continue;
    const shown = without(text, cut);
    if (
      countWords(shown) <= pieceWords &&
      !cut.some(([start, end]) => limiting.test(text.slice(start, end))) &&
      !isNeeded(cut)
    )
      return shown;
  }
  return text;
}

/** Words of what limits or turns what is said beside it, or of somebody's opinion. */
const limiting =
  /\b(?:only|except|unless|if|not|never|no|nor|neither|until|but|although|though|however|yet|whether|\w+n['’]t|said|says?|report\w*|alleg\w*|claim\w*|rumou?r\w*|suppos\w*|believ\w*|consider\w*|think|thought|argu\w*|suggest\w*|assum\w*|estimat\w*|hypothe\w*|legend|myth|referred|regarded|expect\w*|predict\w*|may|might|likely|probabl\w*|perhaps|planned|proposed|hoped|intended|feared|suspected|described)\b/i;

/** Parentheses, with those in them, but for a figure in other units, "(110 km2)". */
function asidesIn(text: string): Cut {
  return [...text.matchAll(/\s*\((?!\d[\d.,]* \p{L}+[\d²³]?\))(?:[^()]|\([^()]*\))*\)(?=[\s.,;:!?]|$)/gu)].map(
    ({ index, 0: found }) => [index, index + found.length],
  );
}

/** All but one of the main clauses that semicolons part, each of which can be read alone. */
function mainClauses({ text, clauses }: ReadUnit): Cut[] {
  const marks = clauses
    .slice(1)
    .flatMap(({ start }, i) => (/;/.test(text.slice(clauses[i]!.end, start)) ? [i + 1] : []));
  const starts = [0, ...marks].map((at) => clauses[at]!.start);
  const ends = [...marks.map((at) => clauses[at - 1]!.end), text.length];
  if (marks.length === 0 || starts.some((start, i) => !isMainClause(text.slice(start, ends[i]!)))) return [];
  return starts.flatMap((start, i) => {
    const isAlone = i === 0 || !leaning.test(text.slice(start));
    return isAlone
      ? [
          [
            ...(i === 0 ? [] : [[0, start] as const]),
            ...(i === starts.length - 1 ? [] : [[ends[i]!, text.length] as const]),
          ],
        ]
      : [];
  });
}

/** What begins so needs what comes before it. */
const leaning =
  /^(?:he|she|it|they|his|her|its|their|this|these|that|those|such|the (?:former|latter|two|same|other)|other|others|another|both|each|one|some|also|and|or|then|there|here|in addition|moreover|furthermore|hence|thus|therefore|instead|as|for (?:example|instance)|who|which)\b/i;

/** The end of a sentence from a clause on that only adds something, the longest beginning first. */
function endsOf({ text, clauses }: ReadUnit): Cut[] {
  return clauses
    .slice(1)
    .flatMap(({ start }, i): Cut[] => {
      const { end } = clauses[i]!;
      const mark = text.slice(end, start);
      const isEnd = mark.startsWith(';') || (mark.startsWith(',') && adding.test(text.slice(start)));
      return isEnd && isMainClause(text.slice(0, end)) ? [[[end, text.length]]] : [];
    })
    .reverse();
}

const adding =
  /^(?:and|while|whereas|which|who|whose|where|including|especially|particularly|such as|making|leading|resulting|causing|giving|allowing|becoming|having|using|along with|as well as|in addition)\b/;

/** Whether it has a verb besides that of a subordinate clause or of words that say when or where before its first comma. */
function isMainClause(whole: string): boolean {
  const text = whole.replace(relative, '');
  const comma = text.indexOf(',') + 1;
  const main = subordinate.test(text)
    ? text.slice(comma || text.length)
    : leading.test(text)
      ? text.slice(comma)
      : text;
  return verb.test(main) && !/: | – |—/.test(whole);
}

/** ", who lived in Morrow,": its verb is not that of the sentence. */
const relative = /, (?:who|whose|whom|which|where)\b[^,]*(?:,|$)/g;
const subordinate =
  /^(?:after|although|as|because|before|if|once|since|though|unless|until|when|where|whereas|while|\p{L}+ing)\b/iu;
const leading =
  /^(?:according|among|at|between|by|despite|due|during|following|for|from|in|like|on|over|through|throughout|under|unlike|with)\b/i;
const verb =
  /\p{L}[\p{L}’'")\].,]* (?:\p{L}+ly )?(?:is|are|was|were|has|have|had|do|does|did|can|could|will|would|may|might|must|should|became|become|becomes|began|made|took|won|wrote|built|held|led|gave|went|came|left|found|said|grew|rose|fell|saw|met|got|kept|set|ran|drew|sold|sent|spent|stood|brought|bought|lost|paid|chose|broke|spoke|knew|\p{Ll}{2,}ed|contains?|includes?|means?|requires?|provides?|occurs?|lies|serves?|remains?|makes?|uses?|allows?|says?|states?)\b/u;

function join(one: Cut, other: Cut): Cut {
  const [first] = other;
  return first === undefined ? one : [...one.filter(([start]) => start < first[0]), ...other];
}

/** What is left, with a capital at its beginning. */
function without(text: string, cut: Cut): string {
  let shown = '';
  let from = 0;
  for (const [start, end] of cut) {
    shown += text.slice(from, start);
    from = end;
  }
  shown = (shown + text.slice(from)).trim().replace(/[,;:]$/, '');
  return shown.charAt(0).toUpperCase() + shown.slice(1);
}

/** Kinds of questions that an aside after one of their words may answer. */
const explaining: ReadonlySet<QuestionKind> = new Set(['what', 'which', 'define', 'none']);

/** Whether a cut takes a word of the question that is nowhere else, or what the question asks for. */
function createNeedTest(question: AnalysedQuestion, unit: ReadUnit): (cut: Cut) => boolean {
  const matches = createTermMatcher(question).matchWords(unit.words);
  const isFitting = createKindTest(question);
  const terms = matches.flatMap((match, at) => (match ? [at] : []));
  const fitting = unit.words.flatMap((word, at) =>
    matches[at] === undefined && isFitting(word, at, unit) ? [at] : [],
  );
  const distance = (at: number) => Math.min(...terms.map((other) => Math.abs(other - at)));
  const nearest = fitting.reduce<number | undefined>(
    (best, at) => (best === undefined || distance(at) < distance(best) ? at : best),
    undefined,
  );
  const isExplained = explaining.has(question.kind);
  const isAside = (at: number) =>
    /^[^\p{L}\p{N}(]*\(/u.test(unit.text.slice(unit.startOf(at) + unit.words[at]!.length));
  return (cut) => {
    const isCut = (at: number) => cut.some(([start, end]) => unit.startOf(at) >= start && unit.startOf(at) < end);
    if (nearest !== undefined && isCut(nearest)) return true;
    // "well capitalised (a ratio of 10 %)" says what that is.
    if (isExplained && terms.some((at) => isCut(at + 1) && !isCut(at) && isAside(at))) return true;
    const kept = new Set(terms.filter((at) => !isCut(at)).map((at) => matches[at]!.term));
    return terms.some((at) => !kept.has(matches[at]!.term));
  };
}
