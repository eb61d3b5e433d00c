/**
 * Trains the weights of the extractive model with the product's own index and features, and prints their scores:
 * `node --import tsx tools/training/train-extractive.ts <folder> [--write]`. The folder has `questions.jsonl.gz` (see
 * bench/questions/articles.ts). Takes about ten minutes on one idle core; the same data result in the same weights.
 *
 * Cross-validation with five folds by article: nothing of an article is in the weights that are evaluated on it. A later
 * stage (whether to answer, from the scores of the units) is trained on scores of held-out articles.
 */
import { writeFileSync } from 'node:fs';
import { readArticleLines } from '../../bench/questions/articles.ts';
import { logOddsOf } from '../../src/base/learned/boosted-trees.ts';
import { threshold } from '../../src/model/extractive/rank/answerability.ts';
import { replaceWeights, type Weights } from '../../src/model/extractive/rank/weights.ts';
import { foldCount, gatherEvidence } from './evidence.ts';
import { termsOf, unitsOf } from './examples.ts';
import { learnIdf } from './idf.ts';
import { learnAnswerability } from './learn-answerability.ts';
import { type List, learnRankingMlp } from './learn-mlp.ts';
import { learnTermLikelihood } from './learn-term-likelihood.ts';
import { learnRankingTrees } from './rank-trees.ts';
import { describeTrials, type Trial, tryOut } from './trial.ts';

const unitOptions = { hidden: 32, epochs: 6, decay: 0.001 };
/** Number of networks whose mean ranks the units. */
const mlpCount = 2;

async function trainExtractive([folder, write]: string[]): Promise<void> {
  if (folder === undefined) throw new Error('Expected the folder that holds questions.jsonl.gz.');
  const lines = readArticleLines(folder);
  const asked = await gatherEvidence(lines);
  report(`evidence for ${asked.length} questions`);
  const idf = learnIdf(lines.filter(({ kind }) => kind === 'page'));
  replaceWeights({ idf });

  const terms = asked.map(termsOf);
  const learnLikelihood = (fold?: number) => learnTermLikelihood(others(terms, fold).flat());
  const likelihoods = folds().map(learnLikelihood);
  report('term likelihoods');

  // The features of every question come from term likelihoods that were learned without its article.
  const rows = asked.map((each) => {
    replaceWeights({ termLikelihood: likelihoods[each.fold]! });
    return unitsOf(each);
  });
  report('features');
  const learnUnits = (fold?: number) => {
    const lists = others(rows, fold).flatMap((row): List[] => (row === undefined ? [] : [row]));
    return {
      rank: Array.from({ length: mlpCount }, (_, seed) => learnRankingMlp(lists, { ...unitOptions, seed })),
      trees: learnRankingTrees(lists),
    };
  };
  const heldOut = folds().map((fold) => {
    const learned: Partial<Weights> = { termLikelihood: likelihoods[fold]!, ...learnUnits(fold) };
    report(`units without fold ${fold + 1}`);
    return learned;
  });

  const trials = asked.map((each) => {
    replaceWeights(heldOut[each.fold]!);
    return { ...tryOut(each), fold: each.fold };
  });
  report('answers');
  const answered = new Set<Trial>();
  for (const fold of folds()) {
    const answers = learnAnswerability(others(trials, fold));
    const own = trials.filter((_, i) => asked[i]!.fold === fold);
    for (const trial of own)
      if (trial.features !== undefined && logOddsOf(answers, trial.features) > threshold) answered.add(trial);
    report(`fold ${fold + 1}: ${describeTrials(own, (trial) => answered.has(trial))}`);
  }
  report(`all: ${describeTrials(trials, (trial) => answered.has(trial))}`);
  if (write !== '--write') return;

  const learned: Weights = {
    idf,
    termLikelihood: learnLikelihood(),
    ...learnUnits(),
    answerability: learnAnswerability(trials),
  };
  const { termLikelihood } = learned;
  const plain = {
    ...learned,
    idf: Object.fromEntries(idf),
    termLikelihood: { ...termLikelihood, shift: Object.fromEntries(termLikelihood.shift) },
  };
  writeFileSync(new URL('../../src/model/extractive/rank/weights.json', import.meta.url), JSON.stringify(plain));
  report('written');

  /** The items of the questions that are not in this fold; all items without a fold. */
  function others<Item>(items: readonly Item[], fold: number | undefined): Item[] {
    return items.filter((_, i) => asked[i]!.fold !== fold);
  }
}

function folds(): number[] {
  return Array.from({ length: foldCount }, (_, fold) => fold);
}

function report(message: string): void {
  process.stdout.write(`${Math.round(process.uptime())} s  ${message}\n`);
}

await trainExtractive(process.argv.slice(2));
