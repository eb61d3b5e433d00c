/**
 * The answer to a question for a list: every page may have one item of it, so each page has the sentence that names what is
 * asked about and something that the question does not name.
 */
import { type AnalysedQuestion, weightOf } from '../question/analyse.ts';
import { relationsAsked, relationsIn, saysOtherwise } from '../question/relations.ts';
import type { RankedUnit } from '../rank/rank.ts';
import { stemOf } from '../text/words.ts';
import { newNamesIn } from './new-names.ts';
import { createPieces, type Piece } from './piece.ts';

/** "How many … and which?", "Which bridges …?", "List …". */
const asksForList =
  /\bhow many\b.*\b(?:which|what|who)\b|^(?:which|what) (?:\p{Ll}+ ){0,2}?\p{Ll}{2,}(?<!s)s\b(?! (?:is|was|does|the)\b)|^(?:please )?(?:list|name|enumerate)\b|\ball (?:the )?\p{Ll}+s\b/iu;
/** Share of the best unit's probability from which a unit is an item; set by hand on `npm run bench -- research`. */
const minShare = { deep: 0.002, other: 0.01 };
const maxItems = 20;
/** Words that items end in, and are searched for. */
const maxKinds = 4;

/** Whether a question asks for a list of things about something that it names. */
function isListQuestion({ text, names }: AnalysedQuestion): boolean {
  return names.length > 0 && asksForList.test(text);
}

/**
 * One piece of each page, the most probable first; none unless there are at least two. `ranked` begins with the best unit. Unless
 * the search is deep, only where question and sentence have a word of the same relation.
 */
export function listPieces(question: AnalysedQuestion, ranked: readonly RankedUnit[], isDeep: boolean): Piece[] {
  if (!isListQuestion(question)) return [];
  const asked = relationsAsked(question.text);
  if (!isDeep && asked.size !== 1) return [];
  const complete = createPieces(question, ranked);
  const named = question.terms.flatMap(({ name }, at) => (name ? [at] : []));
  const minimum = (isDeep ? minShare.deep : minShare.other) * (ranked[0]?.probability ?? 1);
  const pages = new Set<string>();
  const pieces: Piece[] = [];
  for (const each of ranked) {
    if (each.probability < minimum || pieces.length === maxItems) break;
    if (pages.has(each.source.url) || each.unit.kind === 'code') continue;
    if (!named.every((at) => each.own[at]! > 0) || !namesMore(question, each)) continue;
    const said = relationsIn(each.unit.text);
    if (isDeep ? saysOtherwise(asked, said) : ![...asked].some((relation) => said.has(relation))) continue;
    pages.add(each.source.url);
    pieces.push(complete(each));
  }
  return pieces.length < 2 ? [] : pieces;
}

/**
 * What to search for, for further items: what the question names, with each word that items of it end in. "Marlow Viaduct" and
 * "Eastness Crossing" are bridges, too, and their pages need not say so.
 */
export function listQueries({ names, text }: AnalysedQuestion, pieces: readonly Piece[]): string[] {
  const found = pieces.flatMap(({ units }) => units.flatMap((unit) => newNamesIn(unit.text, text)));
  const ends = found.flatMap((name) => (name.includes(' ') ? [name.split(' ').at(-1)!] : []));
  const common = [...new Set(ends)].filter((end) => weightOf(stemOf(end.toLowerCase())) < 1);
  return common.slice(0, maxKinds).map((end) => `${names.join(' ')} ${end}`);
}

/** Whether a unit has a name, or a number, that the question has not. */
function namesMore({ stems }: AnalysedQuestion, { unit }: RankedUnit): boolean {
  return unit.words.some(({ stem, capital, digits }, at) => (capital || digits) && at > 0 && !stems.has(stem));
}
