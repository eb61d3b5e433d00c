/** Chains of relations through a world, and the facts at their ends. */
import { drawAny, type Random } from '../support/random.ts';
import type { Page, Statement } from './page.ts';
import type { Relation } from './relations.ts';
import type { World } from './world.ts';

/** From a name along relations: each may have several values, and all of them count. */
export interface Chain {
  readonly start: string;
  readonly relations: readonly Relation[];
}

export interface Fact {
  /** As its pages write it. */
  readonly value: string;
  readonly pages: readonly Page[];
}

export interface Draws {
  any<Value>(values: readonly Value[]): Value;
  /** Several, all different. */
  some<Value>(values: readonly Value[], count: number): Value[];
  /** A chain along these relations whose every step has one value; with its fact. */
  chain(relations: readonly Relation[]): { chain: Chain; fact: Fact };
  /** A chain whose last relation nobody says anything about. */
  unsaid(relation: Relation): Chain;
}

/** Draws from `world`. */
export function createDraws(world: World, random: Random): Draws {
  const any = drawAny(random);
  const startsOf = (relation: Relation) =>
    relation === 'founder' || relation === 'seat' || relation === 'staffNow'
      ? world.companies
      : relation === 'birthplace' || relation === 'teacher' || relation === 'spouse'
        ? world.people
        : relation === 'mayor' || relation === 'river' || relation === 'populationNow'
          ? world.towns
          : world.bridges;
  return {
    any,
    some<Value>(values: readonly Value[], count: number) {
      const drawn = new Set<Value>();
      while (drawn.size < Math.min(count, values.length)) drawn.add(any(values));
      return [...drawn];
    },
    chain(relations) {
      for (;;) {
        const start = any(startsOf(relations[0]!));
        const fact = follow(world, { start, relations });
        if (fact !== undefined) return { chain: { start, relations }, fact };
      }
    },
    unsaid(relation) {
      for (;;) {
        const start = any(startsOf(relation));
        if (world.statements(start, relation).length === 0) return { start, relations: [relation] };
      }
    },
  };
}

/** The fact that a chain ends with; undefined unless each of its steps has exactly one value. */
export function follow(world: World, { start, relations }: Chain): Fact | undefined {
  let name = start;
  let fact: Fact | undefined;
  for (const relation of relations) {
    const found = factsOf(world.statements(name, relation));
    if (found.length !== 1) return undefined;
    fact = found[0]!;
    name = fact.value;
  }
  return fact;
}

/** The facts that a chain ends with, along all values of its steps. */
export function factsAlong(world: World, { start, relations }: Chain): Fact[] {
  const [first, ...rest] = relations;
  const found = factsOf(world.statements(start, first!));
  return rest.length === 0 ? found : found.flatMap(({ value }) => factsAlong(world, { start: value, relations: rest }));
}

/** Statements by their value. */
export function factsOf(statements: readonly Statement[]): Fact[] {
  const values = new Map<string, Page[]>();
  for (const { value, page } of statements) values.set(value, [...(values.get(value) ?? []), page]);
  return [...values].map(([value, pages]) => ({ value, pages }));
}
