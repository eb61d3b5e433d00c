/**
 * Learns how answers are found in documentation again (`src/model/extractive/documentation/documentation-weights.json`), and says what it is
 * worth on packages that were held out: `node --import tsx tools/training/train-documentation.ts [--write]`. Less than a minute on one core;
 * the same packages give the same numbers.
 */
import { writeFileSync } from 'node:fs';
import { formatScores } from '../../bench/documentation.ts';
import { isOf, says } from '../../bench/questions/documentation.ts';
import { type Mlp, runMlp } from '../../src/base/learned/mlp.ts';
import {
  answerabilityFeatures,
  composeExcerpts,
  type DocumentationWeights,
  rankDocumentation,
  shownText,
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

const lesson = { hidden: 6, epochs: 40, decay: 0.05 };
const networks = 3;
/** The share of questions with an answer that may be refused. */
const refusable = 0.02;
const weightOfOthers = 3;

interface Trial {
  readonly asked: DocumentationQuestion;
  readonly signs: readonly number[];
  /** The same without the package that answers. */
  readonly away: readonly number[] | undefined;
  /** The same where no title names the package: as in documentation that people write for themselves. */
  readonly untitled: readonly number[];
  readonly said: { readonly answer: string; readonly urls: readonly string[] };
}

async function trainDocumentation([write]: string[]): Promise<void> {
  const asked = await gatherDocumentation();
  const lists = asked.map(listOf);
  const learnRank = (fold?: number): Mlp[] => {
    const learned = lists.filter((list, i): list is List => list !== undefined && asked[i]!.fold !== fold);
    return Array.from({ length: networks }, (_, seed) => learnRankingMlp(learned, { ...lesson, seed }));
  };
  const trials: Trial[] = [];
  for (let fold = 0; fold < foldCount; fold += 1) {
    const rank = learnRank(fold);
    trials.push(...asked.filter((each) => each.fold === fold).map((each) => tryOut(each, rank)));
  }
  const given = new Set<Trial>();
  for (let fold = 0; fold < foldCount; fold += 1) {
    const answers = learnAnswers(trials.filter((trial) => trial.asked.fold !== fold));
    for (const trial of trials) if (trial.asked.fold === fold && runMlp(answers, trial.signs) > 0) given.add(trial);
  }
  process.stdout.write(
    `${formatScores(trials.map((trial) => ({ ...trial.asked, ...(given.has(trial) ? trial.said : { answer: '', urls: [] }) })))}\n`,
  );
  if (write !== '--write') return;
  const learned: DocumentationWeights = { rank: learnRank(), answerability: learnAnswers(trials) };
  writeFileSync(
    new URL('../../src/model/extractive/documentation/documentation-weights.json', import.meta.url),
    JSON.stringify(learned),
  );
}

/** What is found for a question, and which of it answers; undefined where none or all of it does. */
function listOf({ question, answers, package: name, sources }: DocumentationQuestion): List | undefined {
  if (answers === undefined || name === undefined) return undefined;
  const units = readDocumentation(analyse(question), sources);
  const right = units.map((unit) => isOf(unit.source.url, name) && says(shownText(unit), answers));
  if (!right.includes(true) || !right.includes(false)) return undefined;
  return { rows: units.map(vectorOf), right };
}

function vectorOf({ features: signs }: DocumentationUnit): Float32Array {
  return Float32Array.from(Object.values(signs));
}

function tryOut(asked: DocumentationQuestion, rank: readonly Mlp[]): Trial {
  const question = analyse(asked.question);
  const ranked = rankDocumentation(question, asked.sources, rank);
  const excerpts = composeExcerpts(ranked);
  return {
    asked,
    signs: answerabilityFeatures(question, ranked),
    away: asked.away.length === 0 ? undefined : signsIn(question, asked.away, rank),
    untitled: signsIn(question, asked.sources.map(untitled), rank),
    said: { answer: excerpts.map(({ text }) => text).join('\n'), urls: excerpts.map(({ source }) => source.url) },
  };
}

function signsIn(question: AnalysedQuestion, sources: readonly Source[], rank: readonly Mlp[]): readonly number[] {
  return answerabilityFeatures(question, rankDocumentation(question, sources, rank));
}

/** "undici › Client" as "Client", in another snapshot: what is read of one is kept. */
function untitled(source: Source): Source {
  return { ...source, snapshot: `${source.snapshot} untitled`, title: source.title.replace(/^[^›]*(?:› )?/, '') };
}

/** Log odds, moved so that 0 refuses just as many of its own as may be. */
function learnAnswers(trials: readonly Trial[]): Mlp {
  const samples = trials.flatMap(({ asked, signs, away, untitled }): Sample[] => [
    { row: signs, yes: asked.answers !== undefined, weight: asked.answers === undefined ? weightOfOthers : 1 },
    { row: untitled, yes: asked.answers !== undefined, weight: (asked.answers === undefined ? weightOfOthers : 1) / 2 },
    ...(away === undefined ? [] : [{ row: away, yes: false, weight: 1 }]),
  ]);
  const learned = learnLogit(samples);
  const odds = samples.filter(({ yes }) => yes).map(({ row }) => runMlp(learned, row));
  const least = odds.sort((a, b) => a - b)[Math.floor(refusable * odds.length)]!;
  const [{ weights, bias }] = learned.layers as [Mlp['layers'][number]];
  return { ...learned, layers: [{ weights, bias: [bias[0]! - least] }] };
}

await trainDocumentation(process.argv.slice(2));
