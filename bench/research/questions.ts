/** Questions about a world, each with the facts that a right answer holds, and the pages that say them. */
import { createRandom } from '../support/random.ts';
import { type Chain, createDraws, type Fact, factsOf, follow } from './chains.ts';
import { createHardMakers } from './hard-questions.ts';
import { type Kind, kinds, type Question } from './question.ts';
import { questionOf, type Relation } from './relations.ts';
import { hosts } from './web.ts';
import type { World } from './world.ts';

const hops: readonly (readonly (readonly Relation[])[])[] = [
  [],
  [['length'], ['founder'], ['birthplace'], ['mayor'], ['opened'], ['teacher'], ['river']],
  [
    ['founder', 'birthplace'],
    ['designer', 'teacher'],
    ['place', 'mayor'],
    ['seat', 'river'],
  ],
  [
    ['founder', 'birthplace', 'mayor'],
    ['designer', 'teacher', 'birthplace'],
    ['seat', 'mayor', 'born'],
  ],
  [
    ['designer', 'teacher', 'birthplace', 'founded'],
    ['founder', 'birthplace', 'mayor', 'teacher'],
  ],
];

/** The same ones for the same world; `share` of all. */
export function createQuestions(world: World, share = 1): readonly Question[] {
  const random = createRandom(world.pages.length + 1);
  const draws = createDraws(world, random);
  const { any, chain: draw } = draws;

  const plain = { wrong: [], effort: 'balanced' } as const;
  const fancies = [{ only: ['en.wikipedia.org'] }, { from: '2026-01-01' }] as const;

  function hop(kind: Kind, length: number, at: number): Question {
    const options = hops[length]!;
    const { chain, fact } = draw(options[at % options.length]!);
    return {
      ...plain,
      kind,
      text: questionOf(chain.start, chain.relations),
      effort: length > 2 ? 'deep' : 'balanced',
      chains: [chain],
      facts: [fact],
      ...(length < 3 && at % 4 === 1 ? { fancy: fancies[(at >> 2) % 2]! } : {}),
    };
  }

  const makers: Record<Kind, (at: number) => Question> = {
    'one hop': (at) => hop('one hop', 1, at),
    'two hops': (at) => hop('two hops', 2, at),
    'three hops': (at) => hop('three hops', 3, at),
    'four hops': (at) => hop('four hops', 4, at),
    comparison(at) {
      const [a, b] =
        at % 2 === 0 ? [draw(['length']), draw(['length'])] : [draw(['founder', 'born']), draw(['founder', 'born'])];
      const text =
        at % 2 === 0
          ? `Which is longer, ${a.chain.start} or ${b.chain.start}, and how long is each?`
          : `Who was born earlier, the founder of ${a.chain.start} or the founder of ${b.chain.start}, and when?`;
      return { ...plain, kind: 'comparison', text, chains: [a.chain, b.chain], facts: [a.fact, b.fact] };
    },
    count() {
      for (;;) {
        const start = any(world.people);
        const facts = factsOf(world.statements(start, 'designed'));
        if (facts.length < 2) continue;
        const chain: Chain = { start, relations: ['designed'] };
        return {
          ...plain,
          kind: 'count',
          text: questionOf(start, ['designed']),
          effort: 'deep',
          chains: [chain],
          facts,
        };
      }
    },
    change(at) {
      const [before, now] =
        at % 2 === 0 ? (['staffBefore', 'staffNow'] as const) : (['populationBefore', 'populationNow'] as const);
      const { chain, fact } = draw([now]);
      const past: Chain = { start: chain.start, relations: [before] };
      const facts = [follow(world, past)!, fact];
      const what = at % 2 === 0 ? 'number of people employed by' : 'number of inhabitants of';
      const [from, to] = at % 2 === 0 ? [2015, 2025] : [2005, 2025];
      const text = `How did the ${what} ${chain.start} change from ${from} to ${to}?`;
      return { ...plain, kind: 'change', text, chains: [past, chain], facts };
    },
    contradiction() {
      for (;;) {
        const start = any(world.disputed);
        const facts = factsOf(world.statements(start, 'opened'));
        if (facts.length < 2) continue;
        const chains: Chain[] = [{ start, relations: ['opened'] }];
        return { ...plain, kind: 'contradiction', text: questionOf(start, ['opened']), chains, facts };
      }
    },
    'not said'(at) {
      const chain = draws.unsaid((['cost', 'spouse', 'populationNow'] as const)[at % 3]!);
      return { ...plain, kind: 'not said', text: questionOf(chain.start, chain.relations), chains: [chain], facts: [] };
    },
    wish(at) {
      if (at % 3 === 1) {
        const { chain, fact } = draw(['staffNow']);
        const text = `According to news published since 2025, how many people did ${chain.start} employ?`;
        const wrong = factsOf(world.statements(chain.start, 'staffBefore')).map(({ value }) => value);
        return { ...plain, kind: 'wish', text, chains: [chain], facts: [fact], wrong, wish: { from: '2025-01-01' } };
      }
      if (at % 3 === 2) {
        const { chain, fact } = draw(['opened']);
        const text = `Using only 127.0.0.9, when was ${chain.start} opened?`;
        return {
          ...plain,
          kind: 'wish',
          text,
          effort: 'fast',
          chains: [chain],
          facts: [fact],
          wish: { only: ['127.0.0.9'] },
        };
      }
      const { chains, facts } = makers.contradiction(at);
      const isWished = ({ pages }: Fact) => pages.every(({ site }) => site === 'almanac');
      const wrong = facts.filter((fact) => !isWished(fact)).map(({ value }) => value);
      const text = `Using only ${hosts.almanac}, when was ${chains[0]!.start} opened?`;
      return {
        ...plain,
        kind: 'wish',
        text,
        chains,
        facts: facts.filter(isWished),
        wrong,
        wish: { only: [hosts.almanac] },
      };
    },
    'follow-up'() {
      for (;;) {
        const start = any(world.rivers);
        const names = factsOf(world.statements(start, 'spannedBy')).map(({ value }) => value);
        const chains = names.map((name): Chain => ({ start: name, relations: ['opened'] }));
        const facts = chains.flatMap((chain) => follow(world, chain) ?? []);
        if (names.length < 2 || facts.length < names.length) continue;
        const chain: Chain = { start, relations: ['spannedBy'] };
        const previous = { text: questionOf(start, ['spannedBy']), names, chain };
        return {
          ...plain,
          kind: 'follow-up',
          text: 'When was the second one you named opened?',
          previous,
          chains,
          facts,
        };
      }
    },
    ...createHardMakers(world, draws),
  };

  return Object.entries(kinds).flatMap(([kind, count]) =>
    Array.from({ length: Math.max(1, Math.round(count * share)) }, (_, at) => makers[kind as Kind](at)),
  );
}
