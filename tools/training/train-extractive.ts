/**
 * Learns the numbers of the extractive model again, with the product's own index and features, and says what they are
 * worth: `node --import tsx tools/training/train-extractive.ts <folder> [--write]`, where the folder holds `questions.jsonl.gz` (see
 * evidence.ts). About ten minutes on one idle core; the same data give the same numbers.
 *
 * Five folds by article: nothing of an article is in what is measured on it. What a later stage learns from the ones
 * before it (whether to answer, from the scores of the units) it learns from scores of articles that were held out.
 */
import { writeFileSync } from 'node:fs';
import { readArticleLines } from '../../bench/questions/articles.ts';
import { logOddsOf } from '../../src/base/learned/boosted-trees.ts';
import { threshold } from '../../src/model/extractive/rank/answerability.ts';
import { replaceWeights, type Weights } from '../../src/model/extractive/rank/weights.ts';
import { foldCount, gatherEvidence } from './evidence.ts';
import { clausesOf, termsOf, unitsOf } from './examples.ts';
import { learnRarity } from './idf.ts';
import { learnAbstention } from './learn-answerability.ts';
import { type List, learnRanking } from './learn-mlp.ts';
import { learnExpectation } from './learn-term-likelihood.ts';
import { learnTrees } from './rank-trees.ts';
import { describe, type Trial, tryOut } from './trial.ts';

const units = { hidden: 32, epochs: 6, decay: 0.001 };
const clauses = { hidden: 12, epochs: 6, decay: 0.001 };
/** Networks whose mean ranks the units. */
const networks = 2;

async function trainExtractive([folder, write]: string[]): Promise<void> {
  if (folder === undefined) throw new Error('Expected the folder that holds questions.jsonl.gz.');
  const lines = readArticleLines(folder);
  const asked = await gatherEvidence(lines);
  tell(`${asked.length} questions with what is found for them`);
  const common = learnRarity(lines.filter(({ kind }) => kind === 'page'));
  replaceWeights({ common });

  const terms = asked.map(termsOf);
  const expectWithout = (fold?: number) => learnExpectation(others(terms, fold).flat());
  const expects = folds().map(expectWithout);
  tell('words to expect');

  // A question's features come from words that were learned without its article, for every fold alike.
  const rows = asked.map((each) => {
    replaceWeights({ expect: expects[each.fold]! });
    return { units: unitsOf(each), clauses: clausesOf(each) };
  });
  tell('features');
  const learnUnits = (fold?: number) => {
    const lists = others(rows, fold).flatMap((row): List[] => (row.units === undefined ? [] : [row.units]));
    return {
      rank: Array.from({ length: networks }, (_, seed) => learnRanking(lists, { ...units, seed })),
      trees: learnTrees(lists),
    };
  };
  const learnClauses = (fold?: number) => {
    return learnRanking(
      others(rows, fold).flatMap((row) => row.clauses),
      { ...clauses, seed: 0 },
    );
  };
  const held = folds().map((fold): Partial<Weights> => {
    const learned = { expect: expects[fold]!, ...learnUnits(fold), clause: learnClauses(fold) };
    tell(`units and clauses without fold ${fold + 1}`);
    return learned;
  });

  const trials = asked.map((each) => {
    replaceWeights(held[each.fold]!);
    return { ...tryOut(each), fold: each.fold };
  });
  tell('answers');
  const given = new Set<Trial>();
  for (const fold of folds()) {
    const answers = learnAbstention(others(trials, fold));
    const own = trials.filter((_, i) => asked[i]!.fold === fold);
    for (const trial of own)
      if (trial.signs !== undefined && logOddsOf(answers, trial.signs) > threshold) given.add(trial);
    tell(`fold ${fold + 1}: ${describe(own, (trial) => given.has(trial))}`);
  }
  tell(`all: ${describe(trials, (trial) => given.has(trial))}`);
  if (write !== '--write') return;

  const learned: Weights = {
    common,
    expect: expectWithout(),
    ...learnUnits(),
    clause: learnClauses(),
    answers: learnAbstention(trials),
  };
  const { expect } = learned;
  const plain = {
    ...learned,
    common: Object.fromEntries(common),
    expect: { ...expect, shift: Object.fromEntries(expect.shift) },
  };
  writeFileSync(new URL('../../src/model/extractive/rank/weights.json', import.meta.url), JSON.stringify(plain));
  tell('written');

  /** What belongs to questions of other folds than this one; all of it without one. */
  function others<Item>(items: readonly Item[], fold: number | undefined): Item[] {
    return items.filter((_, i) => asked[i]!.fold !== fold);
  }
}

function folds(): number[] {
  return Array.from({ length: foldCount }, (_, fold) => fold);
}

function tell(what: string): void {
  process.stdout.write(`${Math.round(process.uptime())} s  ${what}\n`);
}

await trainExtractive(process.argv.slice(2));
