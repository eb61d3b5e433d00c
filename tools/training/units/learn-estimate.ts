/**
 * Fits the estimate by which units are chosen for the learned weights (`estimateOf` of rank/features.ts) to the learned score
 * itself, so it needs no answers: least squares, in which units near the best one of their question count most.
 *
 *   node --import tsx tools/training/units/learn-estimate.ts <folder>
 *
 * Prints the coefficients and, for questions that it did not see, what the 24 highest estimates of a question include.
 */
import { readArticleLines } from '../../../bench/questions/articles.ts';
import { analyse } from '../../../src/model/extractive/question/analyse.ts';
import { readCandidates, toVector } from '../../../src/model/extractive/rank/features.ts';
import { scoreOf } from '../../../src/model/extractive/rank/rank.ts';
import { gatherEvidence } from '../evidence.ts';

interface Unit {
  /** 1, then the inputs. */
  readonly row: readonly number[];
  readonly score: number;
}

/** Questions that are read, half of them to learn from; more change the second decimal. */
const maxQuestions = 400;
const chosen = 24;
const names = ['wide', 'localWide', 'likelyWide', 'rank', 'score'] as const;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Expected the folder that holds questions.jsonl.gz.');
const lines = readArticleLines(folder);
const every = Math.ceil(lines.filter(({ kind }) => kind === 'question').length / maxQuestions);
let questions = 0;
const some = lines.filter(({ kind }) => kind === 'page' || (kind === 'question' && (questions += 1) % every === 0));
const lists = (await gatherEvidence(some)).map(({ question, sources }): Unit[] => {
  const analysed = analyse(question);
  return readCandidates(analysed, sources).map(({ features }) => ({
    row: [1, ...names.map((name) => features[name])],
    score: scoreOf(toVector(features, analysed)),
  }));
});

const coefficients = solve(lists.filter((_, at) => at % 2 === 0));
const unseen = lists.filter((units, at) => at % 2 === 1 && units.length > chosen);
const included = unseen.map((units) => {
  const kept = new Set([...units].sort((a, b) => estimate(b) - estimate(a)).slice(0, chosen));
  const best = units.reduce((a, b) => (b.score > a.score ? b : a));
  const share = (of: Iterable<Unit>) => [...of].reduce((sum, { score }) => sum + Math.exp(score - best.score), 0);
  return { best: kept.has(best) ? 1 : 0, probability: share(kept) / share(units) };
});
const mean = (name: 'best' | 'probability') => included.reduce((sum, each) => sum + each[name], 0) / included.length;
process.stdout.write(
  `${['bias', ...names].map((name, at) => `${name} ${coefficients[at]!.toFixed(3)}`).join(', ')}\n` +
    `${included.length} questions: best unit ${mean('best').toFixed(4)}, probability ${mean('probability').toFixed(4)}\n`,
);

function estimate({ row }: Unit): number {
  return row.reduce((sum, value, at) => sum + value * coefficients[at]!, 0);
}

/** Solves the normal equations by Gauss-Jordan elimination. */
function solve(learned: readonly (readonly Unit[])[]): number[] {
  const width = names.length + 1;
  const equations = Array.from({ length: width }, () => new Array<number>(width + 1).fill(0));
  for (const units of learned) {
    const top = Math.max(...units.map(({ score }) => score));
    for (const { row, score } of units) {
      const weight = 0.05 + Math.exp((score - top) / 2);
      for (const [i, equation] of equations.entries()) {
        for (let j = 0; j < width; j += 1) equation[j]! += weight * row[i]! * row[j]!;
        equation[width]! += weight * row[i]! * score;
      }
    }
  }
  for (let i = 0; i < width; i += 1) {
    const pivot = equations[i]!;
    pivot[i]! += 1e-3;
    for (const equation of equations) {
      if (equation === pivot) continue;
      const factor = equation[i]! / pivot[i]!;
      for (let j = i; j <= width; j += 1) equation[j]! -= factor * pivot[j]!;
    }
  }
  return equations.map((equation, i) => equation[width]! / equation[i]!);
}
