/**
 * Several questions in one, asked of a few pages: each is answered as if it were asked alone. No single sentence answers "What does
 * it weigh and how can I pay?"; ranked as one question, at most one half would be answered.
 */
import { quoteHowTo } from '../documentation/how-to.ts';
import { type AnalysedQuestion, analyse } from '../question/analyse.ts';
import { isElliptical, splitContext, withContext } from '../question/context.ts';
import type { QuestionPart } from '../question/parts.ts';
import { isContextDependent } from '../question/plan.ts';
import { isAnswerable } from '../rank/answerability.ts';
import { rankUnits } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { plainStems, readForms } from '../text/words.ts';
import { composePieces } from './compose.ts';
import { listPieces } from './list-answer.ts';
import { quoteDirectly } from './quote-directly.ts';
import { weighSources } from './weigh-sources.ts';
import type { WritablePiece } from './write-pieces.ts';

export interface AnsweredInTurn {
  /** What the parts have in common is there once. Empty if the first part is not answered. */
  readonly pieces: readonly WritablePiece[];
  /** Whether a part is not answered. */
  readonly isPartial: boolean;
}

/** "how long does it take", "what is their number": what is asked about was named before. */
const pointsBack =
  /\b(?:it|its|he|she|him|his|her|they|them|their|this|that|these|those|er|sie|es|sein|seine|ihre?|ihm|ihnen|dies|das)\b/iu;

/** Answers `parts`, which are all of a question but its first, after that. */
export function answerInTurn(
  parts: readonly QuestionPart[],
  sources: readonly Source[],
  { deep }: { readonly deep: boolean },
): AnsweredInTurn {
  const pieces = [...(parts[0] === undefined ? [] : answerAlone(analyse(asked(parts[0].context)), sources, deep))];
  if (pieces.length === 0) return { pieces, isPartial: true };
  let isPartial = false;
  for (const part of parts) {
    let isAnswered = false;
    for (const text of waysToAsk(part)) {
      const found = answerAlone(analyse(text), sources, deep);
      isAnswered ||= found.length > 0;
      const added = found.filter((piece) => !isSaid(piece, pieces));
      if (added.length === 0) continue;
      // The row of what it is about has its other values, too: another one with several values is about something else.
      if (!(pointsBack.test(part.part) && added.some((piece) => isOfTable(piece, pieces)))) pieces.push(...added);
      break;
    }
    isPartial ||= !isAnswered;
  }
  return { pieces, isPartial };
}

/**
 * The pieces for a follow-up, asked alone, that the words of the question before it would hide: "and when do they return?" after
 * "When does the bus leave?" would be answered by the sentence about leaving again. None where that says what the follow-up asks,
 * or nothing else does.
 */
export function answerFollowUp(
  prompt: string,
  sources: readonly Source[],
  { deep }: { readonly deep: boolean },
): readonly WritablePiece[] {
  const [question, before] = splitContext(prompt);
  if (before === '' || isElliptical(question)) return [];
  const shown = answerAlone(analyse(before), sources, deep);
  const inContext = answerAlone(analyse(prompt), sources, deep);
  if (shown.length === 0 || inContext.some((piece) => !isSaid(piece, shown))) return [];
  const alone = analyse(question);
  const says = (pieces: readonly WritablePiece[]) => {
    const texts = pieces.flatMap(({ units }) => units.map(({ text }) => text));
    const stems = new Set(plainStems(readForms(texts.join(' '), alone.language).forms));
    return alone.terms.length > 0 && alone.terms.every(({ stem }) => stems.has(stem));
  };
  if (says(shown)) return [];
  const pieces = answerAlone(alone, sources, deep);
  return says(pieces) ? pieces : [];
}

/**
 * A part that contains "it" is first asked with its antecedent. Any other is asked alone first, because the words of the first part
 * would retrieve the first answer again; a very short one is then tried with its context.
 */
function waysToAsk({ part, context }: QuestionPart): readonly string[] {
  const alone = asked(part);
  const inContext = withContext(alone, asked(context));
  if (pointsBack.test(part)) return [inContext, alone];
  return isContextDependent(alone) || analyse(alone).terms.length < 2 ? [alone, inContext] : [alone];
}

/** The part as a stand-alone question. */
function asked(part: string): string {
  return `${part.replace(/[\s?,;]+$/, '')}?`;
}

function answerAlone(question: AnalysedQuestion, sources: readonly Source[], deep: boolean): readonly WritablePiece[] {
  const direct = quoteDirectly(question, sources);
  if (direct !== undefined) return [direct];
  const ranked = rankUnits(question, sources);
  const listed = listPieces(question, ranked, deep);
  if (listed.length > 0) return listed;
  const weighed = weighSources(question, ranked);
  if (weighed.ranked.length === 0 || !isAnswerable(question, ranked, sources)) return [];
  const howTo = deep ? [] : quoteHowTo(question, weighed.ranked, sources);
  return howTo.length > 0 ? howTo : composePieces(question, weighed.ranked, { deep, further: weighed.others });
}

/** Whether pieces say all that another one does. */
function isSaid({ source, units }: WritablePiece, pieces: readonly WritablePiece[]): boolean {
  const said = new Set(pieces.flatMap((piece) => (piece.source === source ? piece.units.map(({ text }) => text) : [])));
  return units.every(({ text }) => said.has(text));
}

/** Whether it is of a table of which pieces have a row with more than one value. */
function isOfTable({ source, units }: WritablePiece, pieces: readonly WritablePiece[]): boolean {
  const rows = pieces.flatMap((piece) => (piece.source === source ? piece.units : []));
  const headers = new Set(rows.filter(({ text }) => text.split(' | ').length > 2).map(({ header }) => header));
  return units.some(({ header }) => header !== '' && headers.has(header));
}
