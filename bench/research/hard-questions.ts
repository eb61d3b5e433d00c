/** Questions that take many pages: long lists and comparisons, reports, and sources that differ in date or in kind. */
import { type Chain, type Draws, factsAlong, factsOf } from './chains.ts';
import type { HardKind, Question } from './question.ts';
import { questionOf, type Relation } from './relations.ts';
import type { World } from './world.ts';

const compared: readonly (readonly Relation[])[] = [
  ['founder', 'birthplace', 'mayor', 'born'],
  ['designer', 'teacher', 'born'],
  ['place', 'mayor', 'teacher', 'born'],
];
const ofTown = {
  founded: ['founded'],
  mayor: ['mayor'],
  born: ['mayor', 'born'],
  teacher: ['mayor', 'teacher'],
  river: ['river'],
  bridges: ['river', 'spannedBy'],
  opened: ['river', 'spannedBy', 'opened'],
  designers: ['river', 'spannedBy', 'designer'],
} as const satisfies Record<string, readonly Relation[]>;

/** A maker for each kind. */
export function createHardMakers(world: World, draws: Draws): Record<HardKind, (at: number) => Question> {
  const deep = { wrong: [], effort: 'deep' } as const;
  const { any } = draws;

  return {
    'ten compared'() {
      const drawn = new Map<string, { chain: Chain; fact: Question['facts'][number] }>();
      while (drawn.size < 10) {
        const each = draws.chain(['length']);
        drawn.set(each.chain.start, each);
      }
      const names = [...drawn.keys()];
      return {
        ...deep,
        kind: 'ten compared',
        text: `Which is the longest of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}, and how long is each of them?`,
        chains: [...drawn.values()].map(({ chain }) => chain),
        facts: [...drawn.values()].map(({ fact }) => fact),
      };
    },

    'long count'(at) {
      const start = world.prolific[at % world.prolific.length]!;
      const chain: Chain = { start, relations: ['designed'] };
      const text = questionOf(start, ['designed']);
      return { ...deep, kind: 'long count', text, chains: [chain], facts: factsAlong(world, chain) };
    },

    history(at) {
      const start = world.counted[at % world.counted.length]!;
      const years = [
        'populationBefore',
        'population2010',
        'population2015',
        'population2020',
        'populationNow',
      ] as const;
      const chains = years.map((relation): Chain => ({ start, relations: [relation] }));
      const known = chains.filter((chain) => factsAlong(world, chain).length > 0);
      const text = `How did the number of inhabitants of ${start} change from 2005 to 2025, count by count?`;
      const facts = known.flatMap((chain) => factsAlong(world, chain));
      return { ...deep, kind: 'history', text, chains: known, facts };
    },

    'compared chains'(at) {
      const [a, b] = [draws.chain(compared[at % 3]!), draws.chain(compared[(at + 1) % 3]!)];
      const names = [a, b].map(({ chain: { start, relations } }) => subjectOf(start, relations.slice(0, -1)));
      const text = `Who was born earlier, ${names[0]} or ${names[1]}, and when were they born?`;
      return { ...deep, kind: 'compared chains', text, chains: [a.chain, b.chain], facts: [a.fact, b.fact] };
    },

    newest(at) {
      const start = world.reported[at % world.reported.length]!;
      const chain: Chain = { start, relations: ['staffToday'] };
      const said = [...world.statements(start, 'staffToday')].sort((a, b) =>
        b.page.published!.localeCompare(a.page.published!),
      );
      const [newest, ...older] = factsOf(said);
      const text =
        at % 2 === 0 ? questionOf(start, ['staffToday']) : `What is the latest number of people employed by ${start}?`;
      const later = older.map(({ value }) => value);
      return { wrong: [], effort: 'balanced', kind: 'newest', text, chains: [chain], facts: [newest!], later };
    },

    hearsay() {
      for (;;) {
        const start = any(world.rumoured);
        const chain: Chain = { start, relations: ['length'] };
        const told = factsOf(world.statements(start, 'length'));
        const facts = told.filter(({ pages }) => pages.some(({ site }) => site !== 'forum'));
        const later = told.filter((fact) => !facts.includes(fact)).map(({ value }) => value);
        if (facts.length !== 1 || later.length === 0) continue;
        const text = questionOf(start, ['length']);
        return { wrong: [], effort: 'balanced', kind: 'hearsay', text, chains: [chain], facts, later };
      }
    },

    report() {
      for (;;) {
        const start = any(world.towns);
        const chains = Object.values(ofTown).map((relations): Chain => ({ start, relations }));
        const found = chains.map((chain) => factsAlong(world, chain));
        if (found.some(({ length }) => length === 0) || found[2]!.length > 1) continue;
        const text =
          `Write a report on ${start}: in which year it was founded, who its mayor is, when the mayor was born and by whom taught, ` +
          'on which river it lies, which bridges cross this river, and when each of these bridges was opened and who designed it.';
        return { ...deep, kind: 'report', text, chains, facts: found.flat() };
      }
    },
  };
}

/** "the mayor of the birthplace of …": a question about it, without its verb. */
function subjectOf(start: string, relations: readonly Relation[]): string {
  const asked = questionOf(start, [...relations, 'born']);
  return asked.replace(/^When was /, '').replace(/ born\?$/, '');
}
