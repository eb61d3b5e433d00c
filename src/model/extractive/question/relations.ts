/**
 * What sentences say of things, by their words: who founded something, where someone was born, how long it is. A sentence that
 * has the words of another relation, and none of the one that is asked for, says something else, however well its names fit.
 */
import { readWords, stemOf } from '../text/words.ts';

/** Words of English for each relation; set by hand, those that belong to one of them alone. */
const wordsOf = {
  birth: 'born birth birthplace birthday native',
  death: 'died dies death dead buried burial grave killed',
  marriage: 'marry married marriage spouse husband wife wedding widow widower bride groom',
  teaching: 'taught teach teaches teacher pupil student studied apprentice apprenticed learned learnt tutor mentor workshop',
  design: 'design designed designer architect drawings drew drafted',
  founding: 'founded founder founding established establish cofounder charter',
  leading: 'mayor led leads leader president chairman chairwoman chairs governor council headed',
  opening: 'opened opening opens inaugurated inauguration',
  size: 'length metres meters kilometres kilometers miles measures height tall width wide depth deep',
  cost: 'cost costs price priced paid fee crowns dollars euros pounds budget',
  water: 'river rivers banks flows tributary spans quays lake',
  population: 'inhabitants inhabitant population census residents',
  employment: 'employs employed employees employer staff workforce',
} as const;

export type Relation = keyof typeof wordsOf;

const relationOf = new Map(
  Object.entries(wordsOf).flatMap(([relation, words]) =>
    words.split(' ').map((word) => [stemOf(word), relation as Relation] as const),
  ),
);
/** Words of a text that are looked at. */
const maxWords = 200;

/** The relations of which a text has words. */
export function relationsIn(text: string): ReadonlySet<Relation> {
  const found = readWords(text)
    .slice(0, maxWords)
    .flatMap(({ stem }) => relationOf.get(stem) ?? []);
  return new Set(found);
}

/** Whether a sentence is about other relations than the one that a question asks for; false where a question has none, or several. */
export function saysOtherwise(asked: ReadonlySet<Relation>, said: ReadonlySet<Relation>): boolean {
  const [relation] = asked;
  return relation !== undefined && asked.size === 1 && said.size > 0 && !said.has(relation);
}
