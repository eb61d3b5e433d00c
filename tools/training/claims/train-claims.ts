/**
 * Trains the model of claims (src/engine/writing/support/judgement/claim-weights.json) on pairs made of `questions.jsonl.gz` and on the learned
 * parts of bench/questions/claims, each claim of which is also put beside other pages, and measures it in five folds by article or page:
 * `node --import tsx tools/training/claims/train-claims.ts <folder> [--write|--wrong]`. Takes four minutes on one core; the same files result in the
 * same weights. `--write` also saves the folds' figures for `npm run bench -- claims`; `--wrong` prints the claims by hand decided wrongly.
 */
import { writeFileSync } from 'node:fs';
import { formatTable } from '../../../bench/support/table.ts';
import type { Forest } from '../../../src/base/learned/boosted-trees.ts';
import { chooseCandidate } from '../../../src/engine/writing/support/check-claim.ts';
import { minOdds } from '../../../src/engine/writing/support/judgement/judge-claim.ts';
import { type Binned, bin } from '../bins.ts';
import { boost } from '../boost.ts';
import { beside, type Example, gatherExamples, isByHand, sets } from './claim-examples.ts';

// Set by hand on these folds.
const options = {
  trees: 130,
  leaves: 10,
  rate: 0.12,
  leafWeight: 12,
  l2: 5,
  groupShare: 0.7,
  featureShare: 0.3,
  seed: 1,
};
/** Forests whose mean decides: what one of them happens to think of a rare kind of claim, the others outvote. */
const forestCount = 3;
/** Trees of the first round, whose scores decide which sentence of a true claim is the one that says it. */
const firstTrees = 40;
const foldCount = 5;
/**
 * A pair that was written by hand counts as this many made ones, one of the parts in other words as fewer, for nearly all that models write is
 * closer to its page; its claim beside another page counts less than one, and a sentence that is not the closest to a false claim, as a part of
 * one.
 */
const weight = { byHand: 8, inOtherWords: 3, beside: 0.4, otherSentence: 0.15 };
/** Parts of which nearly all claims have other words than their page. */
const inOtherWords: readonly string[] = ['narratives', 'documents'];
/** A way's weight grows with this power of its number of pairs, so that rare ways count more than their number. */
const wayPower = 0.7;
/** Groups that rows are sampled in. */
const groupCount = 4000;

function trainClaims([folder, option]: string[]): void {
  if (folder === undefined) throw new Error('Expected the folder of questions.jsonl.gz as an argument.');
  const examples = gatherExamples(folder, options.seed);
  const data = binExamples(examples);
  const folds = foldsOf(examples);
  const odds = new Array<number>(examples.length).fill(Number.NEGATIVE_INFINITY);
  for (let fold = 0; fold < foldCount; fold += 1) {
    const forest = learnMean(examples, data, ({ article }) => folds.get(article) !== fold);
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
  const byHand = examples.map(isByHand);
  process.stdout.write(
    `\nkept of the claims by hand, by how many of the false ones are not cited\n\n${formatCurve(
      examples.filter((_, at) => byHand[at]).map((each) => each.true),
      odds.filter((_, at) => byHand[at]),
    )}\n`,
  );
  for (const [name, isOther] of [
    ['in other words', true],
    ['others', false],
  ] as const) {
    const isUsed = examples.map((each, at) => byHand[at]! && inOtherWords.includes(each.set) === isOther);
    process.stdout.write(
      `\n${name}\n\n${formatCurve(
        examples.filter((_, at) => isUsed[at]).map((each) => each.true),
        odds.filter((_, at) => isUsed[at]),
      )}\n`,
    );
  }
  if (option === '--wrong')
    for (const [at, { page, way, claim, read, true: isTrue }] of examples.entries())
      if (byHand[at] && isCited[at] !== isTrue)
        process.stdout.write(
          `\n${isTrue ? 'lost' : 'cited'} ${odds[at]!.toFixed(2)} (${page}, ${way}): ${claim}\n${describe(read)}`,
        );
  if (option !== '--write') return;
  const forest = learnMean(examples, data, () => true);
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

/** Shares of the true claims that are kept at the threshold at which this share of the false ones is not cited. */
function formatCurve(isTrue: readonly boolean[], odds: readonly number[]): string {
  const falseOdds = odds.filter((_, at) => !isTrue[at]).sort((a, b) => a - b);
  const trueOdds = odds.filter((_, at) => isTrue[at]);
  const rows = [0.75, 0.8, 0.85, 0.88, 0.9, 0.92].map((share) => {
    const floor = falseOdds[Math.ceil(share * falseOdds.length)]!;
    const kept = trueOdds.filter((each) => each > floor).length / trueOdds.length;
    return [`${(100 * share).toFixed(0)} %`, floor.toFixed(2), `${(100 * kept).toFixed(1)} %`];
  });
  return formatTable(['not cited', 'log odds', 'kept'], rows);
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
    set === 'made'
      ? (raw[at]! * half) / sums[`${isTrue}`]
      : weight[
          (beside as readonly string[]).includes(set)
            ? 'beside'
            : inOtherWords.includes(set)
              ? 'inOtherWords'
              : 'byHand'
        ],
  );
}

/** The mean of several forests, as one. */
function learnMean(examples: readonly Example[], data: Data, isUsed: (example: Example) => boolean): Forest {
  const forests = Array.from({ length: forestCount }, (_, at) => learn(examples, data, isUsed, options.seed + at));
  const shorten = (leaf: number) => Number((leaf / forestCount).toFixed(4));
  return {
    trees: forests.flatMap(({ trees }) => trees.map(({ nodes, leaves }) => ({ nodes, leaves: leaves.map(shorten) }))),
  };
}

/** Two rounds: a true claim counts by the one sentence that says it, which the first round finds. */
function learn(
  examples: readonly Example[],
  { binned, owners, weights }: Data,
  isUsed: (example: Example) => boolean,
  seed: number,
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
      seed,
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
    const ways = [...new Set(those.map(({ way }) => way))].sort();
    return (ways.length === 1 ? ways : ways.length === 0 ? [] : ['all', ...ways]).map((way) => {
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
