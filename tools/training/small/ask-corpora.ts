/**
 * The questions of small corpora with the evidence that the product's index finds, and with evidence that does not answer them: their
 * own with blanks in place of the units that answer, and that of other corpora.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SmallCorpus, type SmallQuestion, writeDocuments } from '../../../bench/questions/small.ts';
import { everySource } from '../../../protocol/index.ts';
import { openCorpus } from '../../../src/corpus/corpus.ts';
import { type AnalysedQuestion, analyse } from '../../../src/model/extractive/question/analyse.ts';
import { rankUnits } from '../../../src/model/extractive/rank/rank.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { createReader } from '../../../src/web/reader.ts';
import { findEvidence } from '../evidence.ts';

/** Folds of the cross-validation. */
export const foldCount = 5;
/** Which other corpora a question is asked of, counted from its own. */
const strangers = [7, 13];

/** A corpus with the evidence for each of its questions. */
interface SearchedCorpus extends SmallCorpus {
  readonly found: readonly (readonly Source[])[];
}

/** A question with its evidence, and with evidence that does not answer it. */
export interface Asked extends SmallQuestion {
  readonly corpus: string;
  readonly fold: number;
  readonly analysed: AnalysedQuestion;
  readonly sources: readonly Source[];
  readonly blanked: readonly Source[] | undefined;
  readonly strange: readonly (readonly Source[])[];
}

/** All questions of the corpora, in order; those of one corpus are in one fold. */
export async function askSmallCorpora(from: readonly SmallCorpus[]): Promise<Asked[]> {
  const corpora: SearchedCorpus[] = [];
  for (const corpus of from) corpora.push(await search(corpus));
  return corpora.flatMap((corpus, at) => {
    const strange = strangers.map((by) => longestEvidence(corpora[(at + by) % corpora.length]!));
    return corpus.questions.map((each, i): Asked => {
      const analysed = analyse(each.question);
      const sources = corpus.found[i]!;
      const blanked = each.answers === undefined ? undefined : blankAnswers(analysed, sources, each.answers);
      return { ...each, corpus: corpus.name, fold: at % foldCount, analysed, sources, strange, blanked };
    });
  });
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

/** The sources with blanks in place of the units that have the expected words. */
function blankAnswers(analysed: AnalysedQuestion, sources: readonly Source[], answers: readonly string[]): Source[] {
  const ranked = rankUnits(analysed, sources);
  return sources.map((source) => {
    let { text } = source;
    for (const { unit, source: own } of ranked) {
      if (own !== source || !says(unit.text, answers)) continue;
      text = text.slice(0, unit.start) + ' '.repeat(unit.end - unit.start) + text.slice(unit.end);
    }
    // Prepared passages are cached by snapshot, start and length.
    return { ...source, text, snapshot: `${source.snapshot} without ${answers.join()}` };
  });
}

function longestEvidence({ found }: SearchedCorpus): readonly Source[] {
  return found.reduce((longest, each) => (each.length > longest.length ? each : longest), []);
}

/** Whether a text has the words of one of the answers. */
export function says(text: string, answers: readonly string[]): boolean {
  const plain = (part: string) => part.toLowerCase().replace(/\s+/g, ' ');
  return answers.some((words) => plain(text).includes(plain(words)));
}
