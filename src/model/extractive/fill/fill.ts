/**
 * Values for the leaves of a template, taken from the evidence word for word, or null. Leaves of one object are looked
 * for together: a unit that has something for most of them is preferred over the best place for each.
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

/** Units that are looked through for values. */
const depth = 16;
/** Filling may look a little further than answering: a template says more of what is wanted than its prompt. */
const slack = 1;
const together = 0.6;

/** One value for each leaf, object by object in the template's order; an array row by row. */
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
  const grounds = pickGrounds(fields, ranked).map((unit) => readUnitText(unit, best));
  const offered = grounds.map((ground) => fields.map((field) => findValueCandidates(field, question, ground)));
  const anchor = anchorOf(offered);
  return fields.map((field, i) => {
    const all = offered.flatMap((byField, g) =>
      byField[i]!.map((each) => ({ ...each, score: each.score + (g === anchor ? together : 0) })),
    );
    return toValue(field, all.sort((a, b) => b.score - a.score)[0]);
  });
}

/** The best units, and those that name a field in a section that is about the question. */
function pickGrounds(fields: readonly Field[], ranked: readonly RankedUnit[]): RankedUnit[] {
  const wanted = new Set(fields.flatMap((field) => field.stems));
  const named = ranked
    .slice(depth, depth * 4)
    .filter(({ unit }) =>
      unit.words.some((word) => wanted.has(word.stem) || word.parts.some((part) => wanted.has(part))),
    );
  return [...ranked.slice(0, depth), ...named.slice(0, depth / 2)];
}

/** The ground whose best guesses, taken together, are worth most. */
function anchorOf(offered: readonly (readonly (readonly ValueCandidate[])[])[]): number {
  const worth = offered.map((byField) =>
    byField.reduce((sum, guesses) => sum + Math.max(-1, guesses[0]?.score ?? -1), 0),
  );
  return worth.indexOf(Math.max(...worth));
}

/** The object a leaf belongs to; for a leaf within an array, the outermost array's element. */
function placeOf(path: string): string {
  const row = path.indexOf('/-/');
  return row === -1 ? path.slice(0, path.lastIndexOf('/')) : path.slice(0, row + 2);
}
