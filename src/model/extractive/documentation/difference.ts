/** What tells two things apart that a question names: "What is the difference between json and jsonb?" Found by rules. */
import { namesToTellApart } from '../../../base/text/names/asked-names.ts';
import type { WritablePiece } from '../answer/write-pieces.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { countWords } from '../text/words.ts';
import { quoteDefinitionOf } from './definition.ts';

const tellsApart =
  /\b(?:differs? from|differences? between|differences? (?:is|are)|unlike|whereas|while|in contrast)\b/i;
/** Words of prose in the answer; set by hand. */
const maxWords = 50;

/** The sentences about the difference, else what each of the two is; empty if the question asks for no difference or nothing says it. */
export function quoteDifference({ text }: AnalysedQuestion, sources: readonly Source[]): WritablePiece[] {
  const names = namesToTellApart(text);
  if (names === undefined) return [];
  const [one, other] = names.map(pattern) as [RegExp, RegExp];
  let best: { source: Source; units: readonly ReadUnit[]; at: number; rank: number } | undefined;
  for (const source of sources) {
    const { units } = readPassage(source);
    for (const at of units.keys()) {
      const rank = rankOf(units, at, one, other);
      if (rank > (best?.rank ?? 0)) best = { source, units, at, rank };
    }
  }
  if (best !== undefined) return [{ source: best.source, units: stretchFrom(best.units, best.at) }];
  const [first, second] = names.map((name) => quoteDefinitionOf(name, sources));
  return first === undefined || second === undefined || first.units[0] === second.units[0] ? [] : [first, second];
}

/** Matches a name as a text has it, with or without the mark of code, and in the plural. */
function pattern(name: string): RegExp {
  const words = name.replace(/^(?:an?|the)\s+|`/gi, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_.-])${words.replace(/\s+/g, '[\\s-]')}(?:e?s)?(?![\\p{L}\\p{N}_])`, 'iu');
}

/** 0 for a unit that does not tell the two apart; higher is better. */
function rankOf(units: readonly ReadUnit[], at: number, one: RegExp, other: RegExp): number {
  const { kind, text, block } = units[at]!;
  if (kind !== 'sentence' || !tellsApart.test(text)) return 0;
  if (one.test(text) && other.test(text)) return 2;
  const before = units[at - 1];
  const above = before?.block === block ? before.text : '';
  return one.test(above) && other.test(above) ? 1 : 0;
}

/** From the sentence on, or from the one before it that names both, to the end of the paragraph or of what fits. */
function stretchFrom(units: readonly ReadUnit[], at: number): ReadUnit[] {
  const { block, dependsOnContext, text } = units[at]!;
  const isAlone = units[at - 1]?.block !== block;
  const from =
    isAlone || !(dependsOnContext || /^The (?:main|major|only|key|primary|practical)\b/.test(text)) ? at : at - 1;
  const taken: ReadUnit[] = [];
  let words = 0;
  for (const unit of units.slice(from)) {
    words += countWords(unit.text);
    if (unit.block !== block || (words > maxWords && taken.length > at - from)) break;
    taken.push(unit);
  }
  return taken;
}
