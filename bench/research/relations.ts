/** What is known of people, towns, bridges and companies: how pages say it, how it is asked, and what is searched for. */

export type Relation = keyof typeof relations;

export interface Wording {
  /** Sentences with `{s}` for the subject and `{v}` for the value. The last shares few words with the question. */
  readonly said: readonly string[];
  /** A question about `{s}`. */
  readonly asked: string;
  /** The value as a subject, if it has facts of its own: "the designer of {s}". */
  readonly named?: string;
  /** Words to search for it, next to the subject; each another attempt. */
  readonly searched: readonly string[];
}

export const relations = {
  born: {
    said: [
      '{s} was born on {v}.',
      'The parish register dates the birth of {s} to {v}.',
      '{s} came into the world on {v}.',
    ],
    asked: 'When was {s} born?',
    searched: ['date of birth', 'born'],
  },
  birthplace: {
    said: [
      '{s} was born in {v}.',
      'The birthplace of {s} is {v}.',
      '{s} is a native of {v} and spent a long childhood there.',
    ],
    asked: 'Where was {s} born?',
    named: 'the birthplace of {s}',
    searched: ['birthplace', 'native of'],
  },
  teacher: {
    said: ['{s} was a pupil of {v}.', 'The teacher of {s} was {v}.', '{s} learned the trade in the workshop of {v}.'],
    asked: 'Who taught {s}?',
    named: 'the teacher of {s}',
    searched: ['teacher', 'pupil of'],
  },
  spouse: {
    said: [
      '{s} married {v}.',
      'The spouse of {s} is {v}.',
      '{s} shares a house by the water with {v}, following their wedding.',
    ],
    asked: 'Whom did {s} marry?',
    named: 'the spouse of {s}',
    searched: ['married', 'wedding'],
  },
  river: {
    said: [
      '{s} lies on the river {v}.',
      'The river {v} flows through {s}.',
      'The quays of {s} line both banks of the {v}.',
    ],
    asked: 'On which river does {s} lie?',
    named: 'the river of {s}',
    searched: ['river', 'banks'],
  },
  mayor: {
    said: ['The mayor of {s} is {v}.', '{v} has been mayor of {s} for two terms.', 'The council of {s} is led by {v}.'],
    asked: 'Who is the mayor of {s}?',
    named: 'the mayor of {s}',
    searched: ['mayor', 'council led by'],
  },
  founded: {
    said: ['{s} was founded in {v}.', 'The founding of {s} goes back to {v}.', 'The charter of {s} was sealed in {v}.'],
    asked: 'In which year was {s} founded?',
    searched: ['founded', 'charter'],
  },
  populationBefore: inhabitantsIn(2005, 'census'),
  populationNow: inhabitantsIn(2025, 'census'),
  population2010: inhabitantsIn(2010, 'yearbook'),
  population2015: inhabitantsIn(2015, 'yearbook'),
  population2020: inhabitantsIn(2020, 'yearbook'),
  designer: {
    said: [
      '{s} was designed by {v}.',
      'The designer of {s} was {v}.',
      'The drawings for {s} came from the desk of {v}.',
    ],
    asked: 'Who designed {s}?',
    named: 'the designer of {s}',
    searched: ['designer', 'drawings'],
  },
  opened: {
    said: [
      '{s} was opened on {v}.',
      'The opening of {s} took place on {v}.',
      'The first carts rolled over {s} on {v}.',
    ],
    asked: 'When was {s} opened?',
    searched: ['opening date', 'opened', 'first carts'],
  },
  length: {
    said: ['{s} is {v} metres long.', 'The length of {s} is {v} metres.', 'From end to end, {s} measures {v} metres.'],
    asked: 'How long is {s}?',
    searched: ['length metres', 'measures end to end'],
  },
  place: {
    said: ['{s} stands in {v}.', 'The town of {s} is {v}.', 'Travellers reach {s} from the main square of {v}.'],
    asked: 'In which town is {s}?',
    named: 'the town of {s}',
    searched: ['town', 'located'],
  },
  cost: {
    said: ['{s} cost {v} crowns.', 'The cost of {s} was {v} crowns.'],
    asked: 'How many crowns did {s} cost?',
    searched: ['cost crowns', 'price'],
  },
  founder: {
    said: ['{s} was founded by {v}.', 'The founder of {s} is {v}.', '{v} began {s} with a borrowed lathe.'],
    asked: 'Who founded {s}?',
    named: 'the founder of {s}',
    searched: ['founder', 'began'],
  },
  seat: {
    said: ['{s} has its seat in {v}.', 'The seat of {s} is {v}.', 'The sheds and offices of {s} fill a street in {v}.'],
    asked: 'Where does {s} have its seat?',
    named: 'the seat of {s}',
    searched: ['seat', 'offices'],
  },
  staffBefore: {
    said: ['In 2015, {s} employed {v} people.', 'The staff of {s} numbered {v} in 2015.'],
    asked: 'How many people did {s} employ in 2015?',
    searched: ['employees 2015', 'staff 2015'],
  },
  staffNow: {
    said: ['In 2025, {s} employed {v} people.', 'The staff of {s} numbered {v} in 2025.'],
    asked: 'How many people did {s} employ in 2025?',
    searched: ['employees 2025', 'staff 2025'],
  },
  staffToday: {
    said: ['{s} employs {v} people.', 'The staff of {s} numbers {v}.', '{v} people work for {s}.'],
    asked: 'How many people does {s} employ today?',
    searched: ['employees', 'staff news'],
  },
  /** The other way round, of pages that say `designer`. */
  designed: {
    said: [],
    asked: 'How many bridges did {s} design, and which?',
    searched: ['designed bridge', 'drawings bridge', 'designer viaduct crossing'],
  },
  spannedBy: {
    said: ['{v} spans the river {s}.', '{v} crosses the river {s}.', 'Under the arches of {v} runs the {s}.'],
    asked: 'Which bridges cross the river {s}?',
    named: 'each bridge over {s}',
    searched: ['bridges over the river', 'spans', 'arches'],
  },
} as const satisfies Record<string, Wording>;

/** The sentence of this wording. */
export function sentenceOf(relation: Relation, wording: number, subject: string, value: string): string {
  const { said } = relations[relation] as Wording;
  return capital(said[wording % said.length]!.replaceAll('{s}', subject).replaceAll('{v}', value));
}

/** A question about what a chain of relations leads to: "Who is the mayor of the birthplace of the founder of …?" */
export function questionOf(start: string, chain: readonly Relation[]): string {
  const last = relations[chain.at(-1)!] as Wording;
  const subject = chain
    .slice(0, -1)
    .reduce((of, relation) => (relations[relation] as Wording).named!.replace('{s}', of), start);
  return last.asked.replace('{s}', subject);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function inhabitantsIn(year: number, searched: string): Wording {
  return {
    said: [`In ${year}, {s} had {v} inhabitants.`, `The census of ${year} counted {v} people in {s}.`],
    asked: `How many inhabitants did {s} have in ${year}?`,
    searched: [`inhabitants ${year}`, `${searched} ${year}`],
  };
}
