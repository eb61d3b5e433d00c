/** Writes the pages of a world, and remembers what each says. */
import { drawBelow, type Random } from '../support/random.ts';
import type { Page, Statement } from './page.ts';
import { type Relation, sentenceOf } from './relations.ts';

export type Said = Pick<Statement, 'subject' | 'relation' | 'value'>;

/** A page before it is written. */
export type Draft = Omit<Page, 'paragraphs' | 'path'>;

export interface PageWriter {
  readonly pages: Page[];
  /** Adds a page that says these facts between other sentences. */
  write(page: Draft, facts: readonly Said[], first: string): void;
  /** Adds a page of the guide; if it is gone, the almanac has it. */
  describe(title: string, facts: readonly Said[], first: string): void;
  /** Adds what a page says that was written elsewhere. */
  add(statement: Statement): void;
  statements(subject: string, relation: Relation): readonly Statement[];
}

/** Every page of the guide with this number is gone. */
const goneEvery = 25;

/** Sentences that say nothing. */
export const fillers = [
  'A market is held on the first {n} days of the month.',
  'Visitors find a small museum with {n} rooms and a garden.',
  'Letters of that time complain about the price of flour and of lamp oil.',
  'Local guides like to tell the story of the {n} geese.',
  'The archive holds {n} boxes of papers that nobody has put in order.',
  'In winter the road is closed when the snow is deeper than {n} hands.',
  'A choir of {n} voices sings there in spring.',
  'The oldest tree is said to be {n} years old, which foresters doubt.',
  'Much of what was written later repeats the same few anecdotes.',
  'A plaque with {n} lines was put up and taken down again.',
];

/** A writer without pages. */
export function createPageWriter(random: Random): PageWriter {
  const below = drawBelow(random);
  const pages: Page[] = [];
  const known = new Map<string, Statement[]>();

  function write(page: Draft, said: readonly Said[], first: string): void {
    const sentences = said.map(({ relation, subject, value }) => sentenceOf(relation, below(3), subject, value));
    const mixed = [
      ...sentences,
      ...Array.from({ length: 6 }, () => fillers[below(fillers.length)]!.replace('{n}', String(3 + below(90)))),
    ];
    const paragraphs = [first, ...chunks(shuffle(mixed, random), 5).map((part) => part.join(' '))];
    const written: Page = { ...page, path: `/${page.site}/${pages.length}`, paragraphs };
    pages.push(written);
    if (written.isGone) return;
    said.forEach((fact, at) => {
      const statement = { ...fact, sentence: sentences[at]!, page: written };
      add(statement);
      // The same fact, read the other way round.
      if (fact.relation === 'designer')
        add({ ...statement, subject: fact.value, relation: 'designed', value: fact.subject });
    });
  }

  function add(statement: Statement): void {
    const key = `${statement.subject} ${statement.relation}`;
    known.set(key, [...(known.get(key) ?? []), statement]);
  }

  return {
    pages,
    write,
    add,
    describe(title, said, first) {
      const isGone = pages.length % goneEvery === 7;
      write({ site: 'guide', title, isGone }, said, first);
      if (isGone) write({ site: 'almanac', title: `${title} – Almanac`, isGone: false }, said, first);
    },
    statements: (subject, relation) => known.get(`${subject} ${relation}`) ?? [],
  };
}

/** What pages say of `subject`. */
export const facts =
  (subject: string) =>
  (relation: Relation, value: string): Said => ({ subject, relation, value });

/** In another order. */
export function shuffle<Value>(values: readonly Value[], random: Random): Value[] {
  return values
    .map((value) => ({ value, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

function chunks<Value>(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size));
}
