/**
 * Fills the rows of an array of objects: from the items of one list or the rows of one table, or, where the evidence has
 * no list, from what its best sentences enumerate. A row is kept if its first field has a value that no row before has.
 */
import { smallNumbers } from '../../../base/text/numbers.ts';
import type { LeafValue } from '../../../engine/ports/model.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { RankedUnit } from '../rank/rank.ts';
import type { Field } from './fields.ts';
import { toValue } from './leaf-value.ts';
import { findValueCandidates, readUnitText, type ValueCandidate } from './value-candidates.ts';

const maxRows = 20;
const countWords = smallNumbers.slice(2, 11);
const countPattern = new RegExp(
  String.raw`\b(?:top|first|list|name|give|any|the)?\s*(\d{1,2}|${countWords.join('|')})\b`,
  'i',
);

/** Values for the fields of one array, at most 20 rows. `place` is the path of its element in the template, `/items/-`. */
export function fillRows(
  fields: readonly Field[],
  place: string,
  question: AnalysedQuestion,
  ranked: readonly RankedUnit[],
): LeafValue[] {
  // Nested arrays stay empty: nothing tells which row a nested list belongs to.
  const flat = fields.filter((field) => !field.path.slice(place.length).includes('/-'));
  const first = flat[0];
  if (first === undefined || ranked.length === 0) return [];
  const wanted = wantedRows(question.text);
  const listed = bestList(ranked, question);
  const rows =
    listed.length > 0 ? listed.map((unit) => rowOf(flat, question, unit)) : rowsFromSentences(flat, question, ranked);
  const seen = new Set<unknown>();
  const kept = rows.filter(([lead]) => {
    const value = lead === undefined || lead.score < -2 ? undefined : lead.value;
    if (value === undefined || seen.has(value)) return false;
    seen.add(value);
    return true;
  });
  return kept.slice(0, wanted).flatMap((row, index) =>
    flat.map((field, i) => {
      const found = row[i];
      // In a row the list itself is evidence that the value belongs there.
      return toValue(
        field,
        found && { ...found, score: Math.max(0.4, found.score) },
        field.path.replace('/-', `/${index}`),
      );
    }),
  );
}

type Row = readonly (ValueCandidate | undefined)[];

function rowOf(fields: readonly Field[], question: AnalysedQuestion, unit: RankedUnit): Row {
  const text = readUnitText(unit, unit.score);
  const taken: ValueCandidate[] = [];
  return fields.map((field) => {
    const found = findValueCandidates(field, question, text).find(
      (each) =>
        field.role === 'sentence' ||
        field.role === 'boolean' ||
        !taken.some((other) => other.start < each.end && other.end > each.start),
    );
    if (found !== undefined && field.role !== 'sentence' && field.role !== 'boolean') taken.push(found);
    return found;
  });
}

/** The items or rows of the list that answers best, in order; empty when none answers. */
function bestList(ranked: readonly RankedUnit[], question: AnalysedQuestion): RankedUnit[] {
  const lists = new Map<string, RankedUnit[]>();
  for (const each of ranked) {
    const { unit, source } = each;
    if (unit.kind !== 'item' && unit.kind !== 'row') continue;
    const key = `${source.n} ${unit.section} ${unit.kind} ${unit.indent}`;
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [each]);
    else list.push(each);
  }
  const top = ranked[0]!.score;
  const scored = [...lists.values()]
    .filter((list) => list.length >= 2)
    .map((list) => {
      const best = Math.max(...list.map(({ score }) => score));
      const about =
        question.terms.filter((_, term) => list[0]!.around[term]! > 0).length / Math.max(1, question.terms.length);
      return { list, score: best - top + 3 * about };
    })
    .sort((a, b) => b.score - a.score);
  const best = scored[0];
  if (best === undefined || best.score < -2.5) return [];
  return [...best.list].sort((a, b) => a.index - b.index).slice(0, maxRows);
}

/** A row for each value of the first field in the best sentences, with the nearest values of the other fields. */
function rowsFromSentences(fields: readonly Field[], question: AnalysedQuestion, ranked: readonly RankedUnit[]): Row[] {
  const rows: Row[] = [];
  for (const unit of ranked.slice(0, 5)) {
    const text = readUnitText(unit, ranked[0]!.score);
    if (text.relativeScore < -1.5) break;
    const others = fields.slice(1).map((field) => findValueCandidates(field, question, text));
    const leads = findValueCandidates(fields[0]!, question, text).sort((a, b) => a.start - b.start);
    for (const lead of leads) {
      rows.push([
        lead,
        ...others.map(
          (candidates) =>
            [...candidates].sort((a, b) => Math.abs(a.start - lead.end) - Math.abs(b.start - lead.end))[0],
        ),
      ]);
    }
  }
  return rows.slice(0, maxRows);
}

function wantedRows(text: string): number {
  const written = countPattern.exec(text)?.[1];
  if (written === undefined) return maxRows;
  const word = smallNumbers.indexOf(written.toLowerCase());
  const asked = word === -1 ? Number(written) : word;
  return asked >= 1 ? Math.min(maxRows, asked) : maxRows;
}
