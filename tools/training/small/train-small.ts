/**
 * Trains when an answer from few pages is refused, and prints how answers from small corpora score:
 * `node --import tsx tools/training/small/train-small.ts [--write]`. The corpora are those of bench/questions/small.ts. Takes a minute
 * or two; the same corpora result in the same weights.
 *
 * Cross-validation with five folds by corpus: nothing of a corpus is in the weights that are evaluated on it. The ranking of
 * the units is the one of train-extractive.ts, which has not seen these corpora.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  readSmallCorpora,
  type SmallCorpus,
  type SmallQuestion,
  writeDocuments,
} from '../../../bench/questions/small.ts';
import { type AnsweredSmall, scoreColumns, scoresOf } from '../../../bench/small.ts';
import { formatTable } from '../../../bench/support/table.ts';
import { everySource } from '../../../protocol/index.ts';
import { type Mlp, runMlp } from '../../../src/base/learned/mlp.ts';
import { openCorpus } from '../../../src/corpus/corpus.ts';
import { compose } from '../../../src/model/extractive/answer/answer.ts';
import { analyse } from '../../../src/model/extractive/question/analyse.ts';
import {
  answerability,
  answerabilityFeatures,
  fewPagesThreshold,
} from '../../../src/model/extractive/rank/answerability.ts';
import { rankUnits } from '../../../src/model/extractive/rank/rank.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { createReader } from '../../../src/web/reader.ts';
import { findEvidence } from '../evidence.ts';
import { learnLogit } from '../logit.ts';

const foldCount = 5;
/** Share of the answerable questions with evidence that may be refused; set by hand. */
const maxRefused = 0.045;
/** Weights of a question that the documents leave open, and of one that is asked of the documents of another corpus. */
const openWeight = 2;
const strangeWeight = 1;
/** Which other corpora a question is asked of, counted from its own. */
const strangers = [7, 13];

interface Trial extends SmallQuestion {
  readonly fold: number;
  /** What the answer would be. */
  readonly composed: string;
  /** Undefined without evidence, which is always refused. */
  readonly features: readonly number[] | undefined;
  /** The general odds. */
  readonly odds: number;
  /** The same for documents of other corpora. */
  readonly strange: readonly (readonly number[])[];
}

/** A corpus with the evidence for each of its questions. */
interface SearchedCorpus extends SmallCorpus {
  readonly found: readonly (readonly Source[])[];
}

async function trainSmall([write]: string[]): Promise<void> {
  const corpora: SearchedCorpus[] = [];
  for (const corpus of readSmallCorpora()) corpora.push(await search(corpus));
  const trials = corpora.flatMap((corpus, at) => {
    const others = strangers.map((by) => corpora[(at + by) % corpora.length]!);
    return tryOut(corpus, others.map(longestEvidence), at % foldCount);
  });
  const answered = trials.map((trial): AnsweredSmall => {
    const weights = learn(
      trials.filter(({ fold }) => fold !== trial.fold),
      trial.fold,
    );
    return { ...trial, answer: isAnswered(weights, trial) ? trial.composed : '' };
  });
  process.stdout.write(`${formatTable(scoreColumns, [scoresOf('five folds by corpus', answered)])}\n`);
  if (write !== '--write') return;
  const target = new URL('../../../src/model/extractive/rank/few-pages-weights.json', import.meta.url);
  await writeFile(target, JSON.stringify(learn(trials)));
  process.stdout.write('written\n');
}

/** Indexes the documents and searches them for every question. */
async function search(corpus: SmallCorpus): Promise<SearchedCorpus> {
  const folder = await mkdtemp(join(tmpdir(), 'citewire-training-'));
  const reader = createReader({});
  const index = await openCorpus({ file: join(folder, 'index.db') });
  try {
    writeDocuments(corpus, join(folder, 'documents'));
    await index.index(
      { kind: 'folder', path: join(folder, 'documents') },
      { extract: (bytes, about, signal) => reader.extractFile(bytes, about, signal) },
    );
    const found: Source[][] = [];
    for (const { question } of corpus.questions) found.push(await findEvidence(index, question, everySource));
    return { ...corpus, found };
  } finally {
    await Promise.all([index.close(), reader.close()]);
    await rm(folder, { recursive: true });
  }
}

/** Answers every question of a corpus, whether or not it is answerable. */
function tryOut({ questions, found }: SearchedCorpus, others: readonly (readonly Source[])[], fold: number): Trial[] {
  return questions.map((each, at) => {
    const question = analyse(each.question);
    const read = (sources: readonly Source[]) => {
      const ranked = rankUnits(question, sources);
      return ranked.length > 0 && question.terms.length > 0 ? answerabilityFeatures(question, ranked) : undefined;
    };
    const features = read(found[at]!);
    const ranked = rankUnits(question, found[at]!);
    const composed = features === undefined ? '' : compose(question, ranked).join('');
    const odds = answerability(question, ranked);
    return { ...each, fold, features, odds, composed, strange: others.flatMap((sources) => [read(sources) ?? []]) };
  });
}

function longestEvidence({ found }: SearchedCorpus): readonly Source[] {
  return found.reduce((longest, each) => (each.length > longest.length ? each : longest), []);
}

const learned = new Map<number, Mlp>();

/**
 * The log odds that the documents answer, shifted so that 0 refuses the accepted share of answerable questions. The shift
 * comes from weights that were learned without the corpus.
 */
function learn(trials: readonly Trial[], without?: number): Mlp {
  const known = without === undefined ? undefined : learned.get(without);
  if (known !== undefined) return known;
  const folds = [...new Set(trials.map(({ fold }) => fold))];
  const odds = folds.flatMap((fold) => {
    const weights = fit(trials.filter((trial) => trial.fold !== fold));
    return trials.flatMap(({ fold: own, answers, features }) =>
      own === fold && answers !== undefined && features !== undefined ? [runMlp(weights, features)] : [],
    );
  });
  const threshold = odds.sort((a, b) => a - b)[Math.floor(maxRefused * odds.length)]!;
  const { mean, scale, layers } = fit(trials);
  const [{ weights, bias }] = layers as [Mlp['layers'][number]];
  const rounded = (values: readonly number[]) => values.map((value) => Number(value.toPrecision(4)));
  const shifted = {
    mean: rounded(mean),
    scale: rounded(scale),
    layers: [{ weights: rounded(weights), bias: rounded([bias[0]! - threshold]) }],
  };
  if (without !== undefined) learned.set(without, shifted);
  return shifted;
}

function fit(trials: readonly Trial[]): Mlp {
  return learnLogit(
    trials.flatMap(({ answers, features: row, strange }) => [
      ...(row === undefined
        ? []
        : [{ row, yes: answers !== undefined, weight: answers === undefined ? openWeight : 1 }]),
      ...strange.filter(({ length }) => length > 0).map((other) => ({ row: other, yes: false, weight: strangeWeight })),
    ]),
  );
}

function isAnswered(weights: Mlp, { features, odds }: Trial): boolean {
  return features !== undefined && odds > fewPagesThreshold && runMlp(weights, features) > 0;
}

await trainSmall(process.argv.slice(2));
