/**
 * What sentences say of things, by their words: who founded something, where someone was born, how long it is. A sentence that
 * has the words of another relation, and none of the one that is asked for, says something else, however well its names fit.
 */
import { readWords, stemOf } from '../text/words.ts';

/** Words of English for each relation; set by hand, those that belong to one of them alone. */
const relationWords = {
  birth: 'born birth birthplace birthday native',
  death: 'died dies death dead buried burial grave killed',
  marriage: 'marry married marriage spouse husband wife wedding widow widower bride groom',
  teaching:
    'taught teach teaches teacher pupil student studied apprentice apprenticed learned learnt tutor mentor workshop',
  design: 'design designed designer architect drawings drew drafted',
  founding: 'founded founder founding established establish cofounder charter',
  leading: 'mayor led leads leader president chairman chairwoman chairs governor council headed',
  opening: 'opened opening opens inaugurated inauguration',
  size: 'length metres meters kilometres kilometers miles measures height tall width wide depth deep',
  cost: 'cost costs price priced paid fee crowns dollars euros pounds budget',
  place: 'town city village located situated stands',
  water: 'river rivers banks flows tributary spans quays lake',
  population: 'inhabitants inhabitant population census residents populous',
  employment: 'employs employed employees employer staff workforce work',
} as const;

export type Relation = keyof typeof relationWords;

const relationOf = new Map(
  Object.entries(relationWords).flatMap(([relation, words]) =>
    words.split(' ').map((word) => [stemOf(word), [relation as Relation]] as const),
  ),
);
const asksForSize = /\bhow (?:long|tall|high|deep|wide|broad) (?:is|are|was|were)\b/i;
/** Words of a sentence, and characters of a question, that are looked at. */
const maxWords = 200;
const maxQuestion = 1_000;

/** Those that are always said by one of their words: a sentence without one is about something else. */
const explicit: ReadonlySet<Relation> = new Set<Relation>(['size', 'cost', 'population', 'marriage', 'death']);
const measured = /\d\s?(?:m|km|cm|mm|ft|feet|mi|miles|yards?)(?!\p{L})|\d (?:\p{L}+ )?long\b/u;

/** The relations of which a text has words. */
export function relationsIn(text: string): ReadonlySet<Relation> {
  return relationsOf(readWords(text), text);
}

/** The relations that a question asks for. Its names, such as "New York City", ask for none. */
export function relationsAsked(question: string): ReadonlySet<Relation> {
  const found = relationsOf(
    readWords(question).filter(({ capital }, at) => at === 0 || !capital),
    question,
  );
  return found.size === 0 && asksForSize.test(question.slice(0, maxQuestion)) ? new Set(['size']) : found;
}

function relationsOf(words: readonly { readonly stem: string }[], text: string): ReadonlySet<Relation> {
  const found = words.slice(0, maxWords).flatMap(({ stem }): readonly Relation[] => relationOf.get(stem) ?? []);
  return new Set(measured.test(text) ? [...found, 'size'] : found);
}

/** Whether a sentence says something else than what a question asks for; false where that is none of the relations, or several. */
export function saysOtherwise(asked: ReadonlySet<Relation>, said: ReadonlySet<Relation>): boolean {
  const [relation] = asked;
  if (relation === undefined || asked.size > 1 || said.has(relation)) return false;
  return said.size > 0 || explicit.has(relation);
}
