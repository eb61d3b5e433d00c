/**
 * How much of each clause of a claim is said by one clause of its source, whatever their verbs are: "did not get the
 * contract" is closest to "the contract went to another". What pairs of related verbs say is in `pair-clauses.ts`. All of
 * these are features for a model of claims; none decides alone.
 */
import { entailsDate } from '../reading/dates.ts';
import { entails } from '../reading/quantity-entailment.ts';
import type { Clause } from './clause.ts';
import { contentOf, namesOf, type Sides } from './fit-arguments.ts';
import { leftOut, leftOutCount } from './left-out.ts';
import { certainty, isNegative, isSpoken } from './pair-clauses.ts';
import { restricting } from './part-of-clause.ts';
import type { NounPhrase } from './phrase.ts';

/** How many numbers `coverClauses` returns. */
export const coverageCount = 16 + leftOutCount;

interface Covered {
  /** 0 to 1: the share of the clause's words, names and figures. */
  readonly share: number;
  readonly missing: number;
  /** Names and figures that the source has in another clause only. */
  readonly strayNames: number;
  readonly strayFigures: number;
  readonly opposites: number;
}

/** Features of a claim's clauses beside the clause of the source that covers each of them best. */
export function coverClauses(said: readonly Clause[], found: readonly Clause[], sides: Sides): number[] {
  const { claim, source, alignment, context } = sides;
  const places = found.map((clause) => placeOf(clause));
  const rows = said.map((clause) => {
    let best: { covered: Covered; at: number } | undefined;
    for (const at of found.keys()) {
      const covered = cover(clause, at);
      if (best === undefined || covered.share > best.covered.share + 1e-6) best = { covered, at };
    }
    return { clause, ...best! };
  });
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0);
  const count = (test: (row: (typeof rows)[number]) => boolean) => rows.filter(test).length;
  const shares = rows.map(({ covered }) => covered.share);
  const subjects = rows.map(({ clause, at }) => compareSubjects(clause, found[at]!));
  return [
    Math.min(...shares),
    shares.reduce((all, share) => all + share, 0) / shares.length,
    sum(({ covered }) => covered.missing),
    sum(({ covered }) => covered.strayNames),
    sum(({ covered }) => covered.strayFigures),
    sum(({ covered }) => covered.opposites),
    count(
      ({ clause, at, covered }) =>
        (isNegative(claim, clause) !== isNegative(source, found[at]!)) !== (covered.opposites % 2 === 1),
    ),
    count(({ clause, at }) => certainty(source, found[at]!) < certainty(claim, clause)),
    count(({ clause, at }) => certainty(source, found[at]!) > certainty(claim, clause)),
    count(({ clause, at }) => isSpoken(source, found[at]!) && !isSpoken(claim, clause)),
    count(({ clause, at }) => found[at]!.isConditional && !clause.isConditional),
    sum(({ at }) => restrictionsOf(at)),
    sum(({ at }) => unsaidIn(at)) / Math.max(1, claim.words.length),
    subjects.filter((fit) => fit === 'same').length,
    subjects.filter((fit) => fit === 'other').length,
    subjects.filter((fit) => fit === 'swapped').length,
    ...leftOut(
      rows.map(({ clause, at }) => [clause, found[at]!]),
      { said, found },
      sides,
    ),
  ];

  /** The tokens of a clause, with the subject and the phrases that it shares with others. */
  function placeOf({ from, to, agent, patient, phrases }: Clause): boolean[] {
    const inside = new Array<boolean>(source.tokens.length).fill(false);
    const nouns = [...(agent ?? []), ...(patient ?? []), ...phrases.map(({ noun }) => noun)];
    for (const range of [{ from, to }, ...nouns]) inside.fill(true, range.from, range.to);
    return inside;
  }

  function cover(clause: Clause, index: number): Covered {
    const place = places[index]!;
    const nouns = [...(clause.agent ?? []), ...(clause.patient ?? [])].filter(({ to }) => to <= clause.from);
    const isOwn = (at: number) =>
      (at >= clause.from && at < clause.to) || nouns.some(({ from, to }) => at >= from && at < to);
    let [all, covered, missing, strayNames, strayFigures, opposites] = [0, 0, 0, 0, 0, 0];
    for (const at of claim.words) {
      const { stem, kind } = claim.tokens[at]!;
      if (!isOwn(at) || (kind === 'light' && !claim.isName[at])) continue;
      all += 1;
      const match = alignment.matches.get(at);
      const isHere =
        (match !== undefined && place[match.at] === true) ||
        source.words.some((to) => place[to] && source.tokens[to]!.stem === stem);
      if (isHere && match?.relation === 'opposite' && place[match.at]) opposites += 1;
      if (isHere || context.headings.has(stem)) covered += 1;
      else {
        missing += 1;
        if (claim.isName[at] && match !== undefined) strayNames += 1;
      }
    }
    for (const figure of [...claim.dates, ...claim.quantities]) {
      if (!isOwn(figure.from)) continue;
      all += 1;
      const equal =
        'isVague' in figure
          ? source.quantities.filter((other) => entails(other, figure))
          : source.dates.filter((other) => entailsDate(other, figure));
      if (equal.some(({ from }) => place[from])) covered += 1;
      else {
        missing += 1;
        if (equal.length > 0) strayFigures += 1;
      }
    }
    return { share: all === 0 ? 0 : covered / all, missing, strayNames, strayFigures, opposites };
  }

  function restrictionsOf(index: number): number {
    const { from, to } = found[index]!;
    const own = new Set(claim.tokens.map(({ lower }) => lower));
    return source.tokens.slice(from, to).filter(({ lower }) => restricting.test(lower) && !own.has(lower)).length;
  }

  function unsaidIn(index: number): number {
    const { from, to } = found[index]!;
    return source.words.filter(
      (at) => at >= from && at < to && !alignment.reverse.has(at) && source.tokens[at]!.kind === 'content',
    ).length;
  }

  /** Whether the agent, or what the sentence is about, is the same, another one, or what the other clause acts on. */
  function compareSubjects(one: Clause, other: Clause): 'same' | 'other' | 'swapped' | 'open' {
    const said = (one.agent ?? one.patient)?.[0];
    const there = (other.agent ?? other.patient)?.[0];
    if (said === undefined || there === undefined || said.isPronoun || there.isPronoun) return 'open';
    if (isShared(said, there)) return 'same';
    const rest = [...(other.patient ?? []), ...other.phrases.map(({ noun }) => noun)].filter((noun) => noun !== there);
    if (rest.some((noun) => isShared(said, noun))) return 'swapped';
    return namesOf(claim, said).length > 0 && namesOf(source, there).length > 0 ? 'other' : 'open';
  }

  function isShared(said: NounPhrase, there: NounPhrase): boolean {
    return contentOf(claim, said).some((at) => {
      const { stem } = claim.tokens[at]!;
      const to = alignment.matches.get(at)?.at ?? -1;
      return (
        (to >= there.from && to < there.to) || contentOf(source, there).some((own) => source.tokens[own]!.stem === stem)
      );
    });
  }
}
