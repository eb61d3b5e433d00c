/**
 * Trains the weights for answers from documentation (src/model/extractive/documentation/documentation-weights.json) and
 * prints their scores on held-out packages: `node --import tsx tools/training/train-documentation.ts [--write]`. Takes
 * less than a minute on one core; the same packages result in the same weights.
 */
import { writeFileSync } from 'node:fs';
import { formatScores } from '../../bench/documentation.ts';
import { isOf, says } from '../../bench/questions/documentation.ts';
import { type Mlp, runMlp } from '../../src/base/learned/mlp.ts';
import { composePieces, shownText } from '../../src/model/extractive/documentation/compose.ts';
import {
  answerabilityFeatures,
  type DocumentationWeights,
  rankDocumentation,
} from '../../src/model/extractive/documentation/documentation.ts';
import {
  type DocumentationUnit,
  readDocumentation,
} from '../../src/model/extractive/documentation/documentation-features.ts';
import { type AnalysedQuestion, analyse } from '../../src/model/extractive/question/analyse.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';
import { type DocumentationQuestion, gatherDocumentation } from './documentation-questions.ts';
import { foldCount } from './evidence.ts';
import { type List, learnRankingMlp } from './learn-mlp.ts';
import { learnLogit, type Sample } from './logit.ts';

const options = { hidden: 6, epochs: 40, decay: 0.05 };
/** Number of networks whose mean ranks the units. */
const mlpCount = 3;
// Set by hand.
/** Share of the answerable questions that may be refused. */
const maxRefused = 0.02;
/** Weight of a question that no package answers. */
const unanswerableWeight = 3;

interface Trial {
  readonly question: DocumentationQuestion;
  /** Features of answerability. */
  readonly features: readonly number[];
  /** The same without the package that answers. */
  readonly withoutAnswer: readonly number[] | undefined;
  /** The same with titles that do not name the package, as in documentation of one's own. */
  readonly untitled: readonly number[];
  readonly result: { readonly answer: string; readonly urls: readonly string[] };
}

async function trainDocumentation([write]: string[]): Promise<void> {
  const questions = await gatherDocumentation();
  const lists = questions.map(listOf);
  const learnRank = (fold?: number): Mlp[] => {
    const used = lists.filter((list, i): list is List => list !== undefined && questions[i]!.fold !== fold);
    return Array.from({ length: mlpCount }, (_, seed) => learnRankingMlp(used, { ...options, seed }));
  };
  const trials: Trial[] = [];
  for (let fold = 0; fold < foldCount; fold += 1) {
    const rank = learnRank(fold);
    trials.push(...questions.filter((each) => each.fold === fold).map((each) => tryOut(each, rank)));
  }
  const answered = new Set<Trial>();
  for (let fold = 0; fold < foldCount; fold += 1) {
    const answerability = learnAnswerability(trials.filter(({ question }) => question.fold !== fold));
    for (const trial of trials)
      if (trial.question.fold === fold && runMlp(answerability, trial.features) > 0) answered.add(trial);
  }
  const refusal = { answer: '', urls: [] };
  const results = trials.map((trial) => ({ ...trial.question, ...(answered.has(trial) ? trial.result : refusal) }));
  process.stdout.write(`${formatScores(results)}\n`);
  if (write !== '--write') return;
  const learned: DocumentationWeights = { rank: learnRank(), answerability: learnAnswerability(trials) };
  writeFileSync(
    new URL('../../src/model/extractive/documentation/documentation-weights.json', import.meta.url),
    JSON.stringify(learned),
  );
}

/** The units of the evidence, labelled; undefined where none or all of them answer. */
function listOf({ question, answers, package: name, sources }: DocumentationQuestion): List | undefined {
  if (answers === undefined || name === undefined) return undefined;
  const units = readDocumentation(analyse(question), sources);
  const right = units.map((unit) => isOf(unit.source.url, name) && says(shownText(unit), answers));
  if (!right.includes(true) || !right.includes(false)) return undefined;
  return { rows: units.map(vectorOf), right };
}

function vectorOf({ features }: DocumentationUnit): Float32Array {
  return Float32Array.from(Object.values(features));
}

function tryOut(question: DocumentationQuestion, rank: readonly Mlp[]): Trial {
  const { sources, withoutAnswer } = question;
  const analysed = analyse(question.question);
  const ranked = rankDocumentation(analysed, sources, rank);
  const pieces = composePieces(analysed, ranked);
  return {
    question,
    features: answerabilityFeatures(analysed, ranked),
    withoutAnswer: withoutAnswer.length === 0 ? undefined : featuresIn(analysed, withoutAnswer, rank),
    untitled: featuresIn(analysed, sources.map(untitled), rank),
    result: {
      answer: pieces.flatMap(({ units }) => units.map(({ text }) => text)).join('\n'),
      urls: pieces.map(({ source }) => source.url),
    },
  };
}

function featuresIn(question: AnalysedQuestion, sources: readonly Source[], rank: readonly Mlp[]): readonly number[] {
  return answerabilityFeatures(question, rankDocumentation(question, sources, rank));
}

/** "undici › Client" as "Client", in another snapshot, because read passages are cached by snapshot. */
function untitled(source: Source): Source {
  return { ...source, snapshot: `${source.snapshot} untitled`, title: source.title.replace(/^[^›]*(?:› )?/, '') };
}

/** A network for the log odds that documentation answers, shifted so that 0 refuses the accepted share of questions. */
function learnAnswerability(trials: readonly Trial[]): Mlp {
  const samples = trials.flatMap(({ question, features, withoutAnswer, untitled }): Sample[] => {
    const yes = question.answers !== undefined;
    const weight = yes ? 1 : unanswerableWeight;
    return [
      { row: features, yes, weight },
      { row: untitled, yes, weight: weight / 2 },
      ...(withoutAnswer === undefined ? [] : [{ row: withoutAnswer, yes: false, weight: 1 }]),
    ];
  });
  const learned = learnLogit(samples);
  const odds = samples.filter(({ yes }) => yes).map(({ row }) => runMlp(learned, row));
  const threshold = odds.sort((a, b) => a - b)[Math.floor(maxRefused * odds.length)]!;
  const [{ weights, bias }] = learned.layers as [Mlp['layers'][number]];
  return { ...learned, layers: [{ weights, bias: [bias[0]! - threshold] }] };
}

await trainDocumentation(process.argv.slice(2));
