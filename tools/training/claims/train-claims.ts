/**
 * Trains the model of claims (src/engine/writing/support/judgement/claim-weights.json) on pairs made of `questions.jsonl.gz` and on the learned
 * parts of bench/questions/claims, and measures it in five folds by article or page:
 * `node --import tsx tools/training/claims/train-claims.ts <folder> [--write|--wrong]`. Takes a minute on one core; the same files result in the
 * same weights. `--write` also saves the folds' figures for `npm run bench -- claims`; `--wrong` prints the claims by hand decided wrongly.
 */
import { writeFileSync } from 'node:fs';
import { learnedSplits, readClaims } from '../../../bench/questions/claims.ts';
import { createRandom } from '../../../bench/support/random.ts';
import { formatTable } from '../../../bench/support/table.ts';
import type { Forest } from '../../../src/base/learned/boosted-trees.ts';
import {
  chooseCandidate,
  foreignLanguageOf,
  readCandidates,
  readClaim,
  readSource,
} from '../../../src/engine/writing/support/check-claim.ts';
import { minOdds } from '../../../src/engine/writing/support/judgement/judge-claim.ts';
import { type Binned, bin } from '../bins.ts';
import { boost } from '../boost.ts';
import { type ClaimPair, makeClaimPairs } from './claim-pairs.ts';

const sets = ['made', ...learnedSplits] as const;

interface Example extends Omit<ClaimPair, 'text' | 'title'> {
  readonly set: (typeof sets)[number];
  /** The sentences that may say it. */
  readonly read: ReturnType<typeof readCandidates>;
}

// Set by hand on these folds.
const options = {
  trees: 200,
  leaves: 10,
  rate: 0.08,
  leafWeight: 12,
  l2: 5,
  groupShare: 0.7,
  featureShare: 0.4,
  seed: 1,
};
/** Trees of the first round, whose scores decide which sentence of a true claim is the one that says it. */
const firstTrees = 40;
const foldCount = 5;
/** A pair that was written by hand counts as so many made ones; a sentence that is not the closest to a false claim, as a part of one. */
const weight = { byHand: 8, otherSentence: 0.15 };
/** The share of the made pairs that are learned and measured, drawn once; the rest teaches no more of claims that people write. */
const madeShare = 0.12;
/** A way's weight grows with this power of its number of pairs, so that rare ways count more than their number. */
const wayPower = 0.7;
/** Groups that rows are sampled in. */
const groupCount = 4000;

function trainClaims([folder, option]: string[]): void {
  if (folder === undefined) throw new Error('Expected the folder of questions.jsonl.gz as an argument.');
  const examples = gatherExamples(folder);
  const data = binExamples(examples);
  const folds = foldsOf(examples);
  const odds = new Array<number>(examples.length).fill(Number.NEGATIVE_INFINITY);
  for (let fold = 0; fold < foldCount; fold += 1) {
    const forest = learn(examples, data, ({ article }) => folds.get(article) !== fold);
    for (const [at, { article, read }] of examples.entries())
      if (folds.get(article) === fold) odds[at] = oddsOf(read, forest);
  }
  const isCited = odds.map((each) => each >= minOdds);
  const results = sets.flatMap((set) => scoresOf(examples, isCited, set));
  const figures = results.map(({ set, way, isTrue, number, right }) => [
    set,
    isTrue ? 'true' : 'false',
    way,
    number,
    `${(100 * right).toFixed(1)} %`,
  ]);
  process.stdout.write(`${formatTable(['pairs', 'claims', 'way', 'number', 'right'], figures)}\n`);
  const byHand = examples.map(({ set }) => set !== 'made');
  process.stdout.write(
    `\nkept of the claims by hand, by how many of the false ones are not cited\n\n${formatCurve(
      examples.filter((_, at) => byHand[at]).map((each) => each.true),
      odds.filter((_, at) => byHand[at]),
    )}\n`,
  );
  if (option === '--wrong')
    for (const [at, { set, page, way, claim, read, true: isTrue }] of examples.entries())
      if (set !== 'made' && isCited[at] !== isTrue)
        process.stdout.write(
          `\n${isTrue ? 'lost' : 'cited'} ${odds[at]!.toFixed(2)} (${page}, ${way}): ${claim}\n${describe(read)}`,
        );
  if (option !== '--write') return;
  const forest = learn(examples, data, () => true);
  const save = (path: string, value: unknown) =>
    writeFileSync(new URL(`../../../${path}`, import.meta.url), `${JSON.stringify(value)}\n`);
  save('src/engine/writing/support/judgement/claim-weights.json', forest);
  save('bench/results/claim-folds.json', results);
}

/** Log odds that the page says it, by a model that has not seen the page; minus infinity if something contradicts it. */
function oddsOf(read: Example['read'], forest: Forest): number {
  const chosen = chooseCandidate(read, forest, Number.NEGATIVE_INFINITY);
  return chosen?.isCitable ? chosen.odds : Number.NEGATIVE_INFINITY;
}

/** What the checks found in the sentences that say most of a claim. */
function describe(read: Example['read']): string {
  return read
    .slice(0, 2)
    .map(({ candidate: { share }, isVetoed, isEntailed, faults }) => {
      const found = faults.map(({ kind, reason }) => `${kind} (${reason})`).join('; ');
      return `  ${share.toFixed(2)}${isVetoed ? ' vetoed' : ''}${isEntailed ? ' entailed' : ''} ${found}\n`;
    })
    .join('');
}

/** Shares of the true claims that are kept at the threshold at which so many of the false ones are not cited. */
function formatCurve(isTrue: readonly boolean[], odds: readonly number[]): string {
  const falseOdds = odds.filter((_, at) => !isTrue[at]).sort((a, b) => a - b);
  const trueOdds = odds.filter((_, at) => isTrue[at]);
  const rows = [0.8, 0.85, 0.88, 0.9, 0.92].map((share) => {
    const floor = falseOdds[Math.ceil(share * falseOdds.length)]!;
    const kept = trueOdds.filter((each) => each > floor).length / trueOdds.length;
    return [`${(100 * share).toFixed(0)} %`, floor.toFixed(2), `${(100 * kept).toFixed(1)} %`];
  });
  return formatTable(['not cited', 'log odds', 'kept'], rows);
}

function gatherExamples(folder: string): Example[] {
  const random = createRandom(options.seed);
  const pairs = [
    ...makeClaimPairs(folder).flatMap((pair) => (random() < madeShare ? [{ ...pair, set: 'made' as const }] : [])),
    ...learnedSplits.flatMap((set) =>
      readClaims(set).map(({ page, way, claim, about, true: isTrue }) => ({
        page,
        way,
        claim,
        title: about.title,
        text: about.text,
        true: isTrue,
        article: `${set} ${page}`,
        set,
      })),
    ),
  ];
  let read: { page: string; source: ReturnType<typeof readSource> } | undefined;
  return pairs.flatMap(({ text, title, ...pair }) => {
    if (read?.page !== pair.page) read = { page: pair.page, source: readSource(text, title, '') };
    const said = readClaim(pair.claim, read.source.names);
    // What is in another language is not for the model to judge.
    if (foreignLanguageOf(said, read.source) !== undefined) return [];
    return [{ ...pair, read: readCandidates(said, read.source) }];
  });
}

interface Data {
  readonly binned: Binned;
  /** By row, the index of its example. */
  readonly owners: readonly number[];
  readonly weights: readonly number[];
}

function binExamples(examples: readonly Example[]): Data {
  const rows = examples.flatMap((each) => each.read.map(({ row }) => row));
  const owners = examples.flatMap(({ read }, at) => read.map(() => at));
  return {
    binned: bin(rows[0]!.length, rows.length, (row, feature) => rows[row]![feature]!),
    owners,
    weights: weightsOf(examples),
  };
}

/** True and false made pairs weigh the same in all. */
function weightsOf(examples: readonly Example[]): number[] {
  const keyOf = ({ set, way, true: isTrue }: Example) => `${set} ${isTrue} ${way}`;
  const counts = new Map<string, number>();
  for (const example of examples) counts.set(keyOf(example), (counts.get(keyOf(example)) ?? 0) + 1);
  const raw = examples.map((example) => counts.get(keyOf(example))! ** (wayPower - 1));
  const made = (isTrue: boolean) =>
    examples.reduce((sum, { set, true: own }, at) => sum + (set === 'made' && own === isTrue ? raw[at]! : 0), 0);
  const half = examples.filter(({ set }) => set === 'made').length / 2;
  const sums = { true: made(true), false: made(false) };
  return examples.map(({ set, true: isTrue }, at) =>
    set !== 'made' ? weight.byHand : (raw[at]! * half) / sums[`${isTrue}`],
  );
}

/** Two rounds: a true claim counts by the one sentence that says it, which the first round finds. */
function learn(
  examples: readonly Example[],
  { binned, owners, weights }: Data,
  isUsed: (example: Example) => boolean,
): Forest {
  const labels = owners.map((at) => (examples[at]!.true ? 1 : 0));
  const groups = owners.map((at) => (at * 7919) % groupCount);
  let chosen = bestRows(owners, (row) => -row);
  for (const trees of [firstTrees, options.trees]) {
    const own = new Float64Array(owners.length);
    const train = owners.flatMap((at, row) => {
      const isChosen = chosen.get(at) === row;
      own[row] = weights[at]! * (isChosen ? 1 : weight.otherSentence);
      return isUsed(examples[at]!) && (isChosen || !examples[at]!.true) ? [row] : [];
    });
    const { forest, scores } = boost(binned, { labels, weights: own, groups }, Uint32Array.from(train), {
      ...options,
      trees,
    });
    if (trees === options.trees) return forest;
    chosen = bestRows(owners, (row) => scores[row]!);
  }
  throw new Error('unreachable');
}

/** By example, its row with the highest score. */
function bestRows(owners: readonly number[], scoreOf: (row: number) => number): Map<number, number> {
  const best = new Map<number, number>();
  for (const [row, at] of owners.entries()) {
    const known = best.get(at);
    if (known === undefined || scoreOf(row) > scoreOf(known)) best.set(at, row);
  }
  return best;
}

/** Articles in turn, then the pages of claims that were written by hand. */
function foldsOf(examples: readonly Example[]): Map<string, number> {
  return new Map([...new Set(examples.map(({ article }) => article))].map((article, at) => [article, at % foldCount]));
}

function scoresOf(examples: readonly Example[], isCited: readonly boolean[], set: Example['set']) {
  return [true, false].flatMap((isTrue) => {
    const those = examples.flatMap((example, at) =>
      example.set === set && example.true === isTrue ? [{ way: example.way, isRight: isCited[at] === isTrue }] : [],
    );
    return ['all', ...[...new Set(those.map(({ way }) => way))].sort()].map((way) => {
      const some = those.filter((each) => way === 'all' || each.way === way);
      return {
        set,
        way,
        isTrue,
        number: some.length,
        right: some.filter(({ isRight }) => isRight).length / some.length,
      };
    });
  });
}

trainClaims(process.argv.slice(2));
