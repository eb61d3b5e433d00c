/**
 * How something is done, from the few pages of a small corpus that shows code. Its general ranking knows other words than the
 * documents', but prefers sentences; that of documentation knows what code belongs to which heading: a unit has to be likely by both.
 */
import type { WritablePiece } from '../answer/write-pieces.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { RankedUnit } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { composePieces } from './compose.ts';
import { rankForAnswer } from './documentation.ts';
import { isDocumentation } from './documentation-features.ts';

/** Exponent of the general probability beside that of documentation; set by hand on questions about READMEs. */
const generalWeight = 0.5;

/** General probability from which a row is the setting to change; set by hand. */
const minSettingProbability = 0.5;

/**
 * The best stretch with the code of its section; none if this is not asked for, the pages show no code, or a setting answers, which this
 * ranking takes for no way to do something. `ranked` has the units of the sources by their general ranking.
 */
export function quoteHowTo(
  question: AnalysedQuestion,
  ranked: readonly RankedUnit[],
  sources: readonly Source[],
): WritablePiece[] {
  if (question.kind !== 'manner' || !isDocumentation(sources)) return [];
  const [best] = ranked;
  if (best?.unit.kind === 'row' && best.probability >= minSettingProbability) return [];
  const general = new Map(ranked.map(({ unit, probability }) => [unit, probability]));
  const least = Math.min(...general.values());
  const weighed = rankForAnswer(question, sources).map((each) => ({
    ...each,
    probability: each.probability * (general.get(each.unit) ?? least) ** generalWeight,
  }));
  const sum = weighed.reduce((total, { probability }) => total + probability, 0);
  const both = weighed.map((each) => ({ ...each, probability: each.probability / sum }));
  return composePieces(
    question,
    both.sort((a, b) => b.probability - a.probability),
  );
}
