/**
 * Fills the leaves of a template with what the evidence states, or null. A value is given only where its own sentence or row
 * carries the words of the field; the headings above it, the objects around the field and the prompt then choose among several.
 * Fields whose name says nothing, such as `answer`, take what the prompt asks for.
 */
import type { PatternMatcher } from '../../../base/values/allowed-values.ts';
import type { Leaf, LeafValue } from '../../../engine/ports/model.ts';
import { type AnalysedQuestion, analyse } from '../question/analyse.ts';
import { answerability, threshold } from '../rank/answerability.ts';
import { type RankedUnit, rankUnits } from '../rank/rank.ts';
import type { Source } from '../text/passages.ts';
import { type Field, readField } from './fields.ts';
import { type FoundValue, toValue } from './leaf-value.ts';
import { findElements } from './lists.ts';
import { readPages } from './pages.ts';
import { fillRows } from './rows.ts';
import { findStatedValue } from './stated-values.ts';
import { findValueCandidates, readUnitText } from './value-candidates.ts';

// Set by hand.
/** Units that are searched for what the prompt asks for, from the top of the ranking. */
const searchedUnits = 16;
/** How far, in log odds, evidence may miss the threshold of an answer: a template says more than its prompt. */
const slack = 1;

/**
 * One value for each leaf, object by object in the order of the template; for an array, one per field and row, with the
 * index of the row in the path. A leaf without a value gets null. `matches` knows the patterns that leaves allow, if any.
 */
export function fill(
  prompt: string,
  leaves: readonly Leaf[],
  sources: readonly Source[],
  matches: PatternMatcher = () => true,
): LeafValue[] {
  // The names of fields are English words, and pages are compared with both.
  const question = analyse(prompt, true);
  const pages = readPages(question, sources);
  const ask = createAsker(question, sources);
  const values: LeafValue[] = [];
  const done = new Set<string>();
  for (const leaf of leaves) {
    const place = placeOf(leaf.path);
    if (done.has(place)) continue;
    done.add(place);
    const group = leaves.filter((other) => placeOf(other.path) === place);
    const fields = group.map((each) => readField(each, question, matches));
    if (place.endsWith('/-') && group[0]!.path === place) values.push(...findElements(fields[0]!, question, pages));
    else if (place.includes('/-')) values.push(...fillRows(fields, place, question, pages));
    else {
      const asked = new Map(fields.filter(isAsked).map((field) => [field, ask(field)]));
      const beside = [...asked.values()].filter((found) => found !== undefined);
      for (const field of fields)
        values.push(
          isAsked(field) ? toValue(field, asked.get(field)) : findStatedValue(field, question, pages, beside),
        );
    }
  }
  return values;
}

function isAsked(field: Field): boolean {
  return field.type === 'string' && !field.isNamed;
}

/** Finds the best text for a field among the units that answer the prompt. They are ranked when the first field needs it. */
function createAsker(question: AnalysedQuestion, sources: readonly Source[]): (field: Field) => FoundValue | undefined {
  let best: readonly RankedUnit[] | undefined;
  return (field) => {
    if (best === undefined) {
      const ranked = rankUnits(question, sources);
      best = answerability(question, ranked) > threshold - slack ? ranked.slice(0, searchedUnits) : [];
    }
    const [first] = best;
    if (first === undefined) return undefined;
    const candidates = best.flatMap((unit) => findValueCandidates(field, question, readUnitText(unit, first.score)));
    for (const found of candidates.sort((a, b) => b.score - a.score)) {
      const value = field.fit(found.value);
      if (value !== undefined) return { ...found, value, evidence: found.unit.source.n };
    }
    return undefined;
  };
}

/** The path of the object that a leaf belongs to; within an array, of the outermost array's element. */
function placeOf(path: string): string {
  if (path.endsWith('/-') && path.indexOf('/-/') === -1) return path;
  const row = path.indexOf('/-/');
  return row === -1 ? path.slice(0, path.lastIndexOf('/')) : path.slice(0, row + 2);
}
