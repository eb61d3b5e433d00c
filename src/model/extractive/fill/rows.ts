/**
 * Rows of an array of objects: the items of one list, the rows of one table, or, where the evidence lists nothing, what
 * its best sentences name one after the other. A row is kept when its first value is there and new.
 */
import { smallNumbers } from '../../../base/text/numbers.ts';
import type { LeafValue } from '../../../engine/ports/model.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { RankedUnit } from '../rank/rank.ts';
import type { Field } from './fields.ts';
import { toValue } from './leaf-value.ts';
import { findValueCandidates, readUnitText, type ValueCandidate } from './value-candidates.ts';

const mostRows = 20;
const countWords = smallNumbers.slice(2, 11);
const countPattern = new RegExp(
  String.raw`\b(?:top|first|list|name|give|any|the)?\s*(\d{1,2}|${countWords.join('|')})\b`,
  'i',
);

/** `place` is the array's element in the template, `/items/-`. */
export function fillRows(
  fields: readonly Field[],
  place: string,
  question: AnalysedQuestion,
  ranked: readonly RankedUnit[],
): LeafValue[] {
  // An array within an array's rows is left to be empty: nothing here says which row a nested list belongs to.
  const flat = fields.filter((field) => !field.path.slice(place.length).includes('/-'));
  const first = flat[0];
  if (first === undefined || ranked.length === 0) return [];
  const wanted = wantedRows(question.text);
  const listed = bestList(ranked, question);
  const rows =
    listed.length > 0 ? listed.map((unit) => rowOf(flat, question, unit)) : spokenRows(flat, question, ranked);
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
      // Within a row the list vouches for the place; only the value itself must be there.
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
  const ground = readUnitText(unit, unit.score);
  const taken: ValueCandidate[] = [];
  return fields.map((field) => {
    const found = findValueCandidates(field, question, ground).find(
      (each) =>
        field.role === 'sentence' ||
        field.role === 'boolean' ||
        !taken.some((other) => other.start < each.end && other.end > each.start),
    );
    if (found !== undefined && field.role !== 'sentence' && field.role !== 'boolean') taken.push(found);
    return found;
  });
}

/** Items or table rows that stand together, of the list that answers best; empty when none does. */
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
  // A table's first row names its columns.
  const inOrder = [...best.list].sort((a, b) => a.index - b.index);
  const isTable = inOrder[0]!.unit.kind === 'row';
  return (isTable && inOrder[0]!.index === firstRow(inOrder[0]!) ? inOrder.slice(1) : inOrder).slice(0, mostRows);
}

function firstRow({ passage, unit }: RankedUnit): number {
  return passage.units.findIndex((other) => other.kind === 'row' && other.section === unit.section);
}

/** Without a list: every value the best sentences have for the first field, each with the other fields beside it. */
function spokenRows(fields: readonly Field[], question: AnalysedQuestion, ranked: readonly RankedUnit[]): Row[] {
  const rows: Row[] = [];
  for (const unit of ranked.slice(0, 5)) {
    const ground = readUnitText(unit, ranked[0]!.score);
    if (ground.relativeScore < -1.5) break;
    const others = fields.slice(1).map((field) => findValueCandidates(field, question, ground));
    const leads = findValueCandidates(fields[0]!, question, ground).sort((a, b) => a.start - b.start);
    for (const lead of leads) {
      rows.push([
        lead,
        ...others.map(
          (guesses) => [...guesses].sort((a, b) => Math.abs(a.start - lead.end) - Math.abs(b.start - lead.end))[0],
        ),
      ]);
    }
  }
  return rows.slice(0, mostRows);
}

function wantedRows(text: string): number {
  const written = countPattern.exec(text)?.[1];
  if (written === undefined) return mostRows;
  const word = smallNumbers.indexOf(written.toLowerCase());
  const asked = word === -1 ? Number(written) : word;
  return asked >= 1 ? Math.min(mostRows, asked) : mostRows;
}
