/**
 * Fills the leaves of a template with values taken verbatim from the evidence, or null. The leaves of one object are
 * filled together: a unit with values for most of them is preferred to the best unit for each.
 */
import type { Leaf, LeafValue } from '../../../engine/ports/model.ts';
import { type AnalysedQuestion, analyse } from '../question/analyse.ts';
import { answerability, threshold } from '../rank/answerability.ts';
import { type RankedUnit, rankUnits } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { type Field, readField } from './fields.ts';
import { toValue } from './leaf-value.ts';
import { fillRows } from './rows.ts';
import { findValueCandidates, readUnitText, type ValueCandidate } from './value-candidates.ts';

// Set by hand.
/** Units that are searched for values, from the top of the ranking. */
const searchedUnits = 16;
/** How far, in log odds, evidence may miss the threshold of an answer: a template says more than its prompt. */
const slack = 1;
/** Added to the score of values from the unit that fits all fields best. */
const sameUnitBonus = 0.6;

/**
 * One value for each leaf, object by object in the order of the template; for an array, one per field and row, with the
 * index of the row in the path. A leaf without a value gets null.
 */
export function fill(prompt: string, leaves: readonly Leaf[], sources: readonly Source[]): LeafValue[] {
  const question = analyse(prompt);
  const ranked = rankUnits(question, sources);
  const answers = answerability(question, ranked) > threshold - slack;
  const values: LeafValue[] = [];
  const done = new Set<string>();
  for (const leaf of leaves) {
    const place = placeOf(leaf.path);
    if (done.has(place)) continue;
    done.add(place);
    const group = leaves.filter((other) => placeOf(other.path) === place);
    const fields = group.map((each) => readField(each, question.kind));
    if (place.includes('/-')) values.push(...(answers ? fillRows(fields, place, question, ranked) : []));
    else values.push(...fillObject(fields, question, answers ? ranked : []));
  }
  return values;
}

function fillObject(fields: readonly Field[], question: AnalysedQuestion, ranked: readonly RankedUnit[]): LeafValue[] {
  const best = ranked[0]?.score ?? 0;
  const texts = pickUnits(fields, ranked).map((unit) => readUnitText(unit, best));
  const candidates = texts.map((text) => fields.map((field) => findValueCandidates(field, question, text)));
  const main = indexOfBestUnit(candidates);
  return fields.map((field, i) => {
    const all = candidates.flatMap((byField, at) =>
      byField[i]!.map((each) => ({ ...each, score: each.score + (at === main ? sameUnitBonus : 0) })),
    );
    return toValue(field, all.sort((a, b) => b.score - a.score)[0]);
  });
}

/** The best units, and some of the next ones that name a field. */
function pickUnits(fields: readonly Field[], ranked: readonly RankedUnit[]): RankedUnit[] {
  const wanted = new Set(fields.flatMap((field) => field.stems));
  const named = ranked
    .slice(searchedUnits, searchedUnits * 4)
    .filter(({ unit }) =>
      unit.words.some((word) => wanted.has(word.stem) || word.parts.some((part) => wanted.has(part))),
    );
  return [...ranked.slice(0, searchedUnits), ...named.slice(0, searchedUnits / 2)];
}

/** Index of the unit with the highest sum of the best scores for each field. */
function indexOfBestUnit(candidates: readonly (readonly (readonly ValueCandidate[])[])[]): number {
  const sums = candidates.map((byField) =>
    byField.reduce((sum, ofField) => sum + Math.max(-1, ofField[0]?.score ?? -1), 0),
  );
  return sums.indexOf(Math.max(...sums));
}

/** The path of the object that a leaf belongs to; within an array, of the outermost array's element. */
function placeOf(path: string): string {
  const row = path.indexOf('/-/');
  return row === -1 ? path.slice(0, path.lastIndexOf('/')) : path.slice(0, row + 2);
}
