/**
 * A model that needs neither a network nor a language model: it answers with sentences of the evidence. Questions are
 * analysed on the calling thread, which is cheap; units are scored on worker threads, in a few milliseconds for a dozen
 * passages. `reflect` and `write` over the same evidence share one result.
 *
 * It never paraphrases: without its Markdown, a sentence of an answer is found in the evidence (see text/clean.ts), or a long
 * one without an aside or some of its clauses (see answer/shorten.ts). Where sources differ, it shows both sides, the better
 * source first (see answer/weigh-sources.ts).
 */

import { LRUCache } from 'lru-cache';
import { untilAborted } from '../../base/abort.ts';
import { createWorkerPool, type WorkerPool } from '../../base/processes/worker-pool.ts';
import type { Brief, LeafValue, Model } from '../../engine/ports/model.ts';
import type { Evidence } from '../../engine/ports/snapshot.ts';
import type { Answer } from './answer/answer.ts';
import { resolveFollowUp } from './answer/follow-up.ts';
import type { Result, Task } from './extractive-worker.ts';
import { withContext } from './question/context.ts';
import { isContextDependent, planSearch } from './question/plan.ts';
import type { DocumentPassage, ProposedQuestion } from './question/propose.ts';
import type { Source } from './text/passages.ts';

export interface ExtractiveOptions {
  /** Maximum number of worker threads, 1 by default. All but the first start only when the others are busy. */
  readonly threads?: number;
  /** Worker threads that several models share, instead of threads of its own; their creator closes them. */
  readonly pool?: ExtractivePool | undefined;
}

/** The worker threads of extractive models. They keep nothing of a task once it has ended. */
export type ExtractivePool = WorkerPool<Task, Result>;

/** Passages that are read; set by hand: more cost time and improved no answers. */
const maxSources = 24;
/** The same for a deep search, whose answer has parts: each is read for the passages that have its names. */
const deepSources = 64;

/** Set by hand on 1,200 searches, as in corpus and store: more takes memory and saves no time. */
const youngMb = 12;

export interface ExtractiveModel extends Model {
  /** Questions that these passages of documents may answer, the best first; see question/propose.ts. */
  propose(passages: readonly DocumentPassage[]): Promise<readonly ProposedQuestion[]>;
  /** Starts the worker threads ahead of the first question, which otherwise waits for them. */
  start(): void;
  /** Stops the worker threads, unless they are shared. */
  close(): Promise<void>;
}

/** `threads` is the maximum number of threads, which start when they are needed: all but the first only when the others are busy. */
export function createExtractivePool(threads = 1): ExtractivePool {
  return createWorkerPool<Task, Result>({
    worker: new URL('./extractive-worker.ts', import.meta.url),
    workers: 1,
    reserve: threads - 1,
    concurrency: 4,
    youngMb,
  });
}

/** The model as the engine's `Model`. Its worker threads start with the first question unless `start` is called. */
export function createExtractiveModel({ threads, pool: shared }: ExtractiveOptions = {}): ExtractiveModel {
  const pool = shared ?? createExtractivePool(threads);
  /** Kept until the same search writes what it has reflected on. */
  const answers = new LRUCache<string, Promise<Answer>>({ max: 64 });
  /** Those that wait for a thread are kept apart: however many they are, none pushes out another, which would be computed twice. */
  const inProgress = new Map<string, Promise<Answer>>();

  function answer(brief: Brief, evidence: readonly Evidence[], signal: AbortSignal): Promise<Answer> {
    const prompt = questionOf(brief);
    const deep = brief.effort === 'deep';
    const sources = evidence.slice(0, deep ? deepSources : maxSources).map(toSource);
    const key = JSON.stringify([
      prompt,
      deep,
      sources.map((source) => [
        source.n,
        source.snapshot,
        source.start,
        source.score,
        source.places,
        source.near,
        source.corpusSize,
      ]),
    ]);
    const known = answers.get(key) ?? inProgress.get(key);
    if (known !== undefined) return untilAborted(known, signal);
    // The texts go along: a thread that keeps them would look them up for longer than they take to copy.
    const computed = pool.runFor(signal, { stage: 'answer', prompt, sources, deep }) as Promise<Answer>;
    inProgress.set(key, computed);
    const settle = () => inProgress.delete(key);
    computed.then(() => answers.set(key, computed)).then(settle, settle);
    return untilAborted(computed, signal);
  }

  return {
    name: 'extractive',
    async plan(brief, { signal }) {
      signal.throwIfAborted();
      return planSearch(questionOf(brief), constraintTextOf(brief), brief.effort === 'deep');
    },
    async reflect(brief, evidence, { signal }) {
      const { pieces, queries } = await answer(brief, evidence, signal);
      return { enough: pieces.length > 0 && queries.length === 0, queries };
    },
    async *write(brief, evidence, { signal }) {
      const { pieces, status } = await answer(brief, evidence, signal);
      for (const piece of pieces) {
        signal.throwIfAborted();
        yield piece;
      }
      if (status !== undefined) yield { status };
    },
    async excerpts(brief, evidence, { signal }) {
      return (await answer(brief, evidence, signal)).excerpts;
    },
    async *fill(brief, leaves, evidence, { signal }) {
      const prompt = questionOf(brief);
      const sources = evidence.slice(0, maxSources).map(toSource);
      const values = pool.runFor(signal, { stage: 'fill', prompt, leaves, sources });
      yield* (await untilAborted(values, signal)) as LeafValue[];
    },
    propose: (passages) =>
      pool.run({
        stage: 'propose',
        passages: passages.map(({ snapshot, text }) => ({ snapshot, text })),
      }) as Promise<ProposedQuestion[]>,
    start: () => pool.start(),
    async close() {
      if (shared === undefined) await pool.close();
    },
  };
}

/** A question that refers to the last answer is read with what it names; one that depends on the last question, together with it. */
function questionOf({ question: asked, within, previous, previousAnswer, earlierAnswers = [] }: Brief): string {
  // Only that document is searched, so the words that name it are none that an answer has.
  const bare = (text: string) =>
    within === undefined
      ? text
      : text
          .replace(within.phrase, ' ')
          .replace(/\s+(?=[?.!]*$)/, '')
          .trim();
  const question = bare(asked);
  const last = previous.at(-1);
  const before = last === undefined ? undefined : bare(last);
  // The newest answer that names what is meant.
  const answers = previousAnswer === undefined ? [] : [previousAnswer, ...[...earlierAnswers].reverse()];
  for (const [at, answer] of answers.entries()) {
    const resolved = resolveFollowUp(question, { question: previous.at(-1 - at) ?? '', answer });
    if (resolved !== undefined) return resolved;
  }
  return before !== undefined && isContextDependent(question) ? withContext(question, before) : question;
}

/** The text that may name sources and a timeframe: a template without the inputs that a caller filled in. */
function constraintTextOf(brief: Brief): string {
  if (brief.parts === undefined) return questionOf(brief);
  return brief.parts.map(({ text, input }) => (input === undefined ? text : '…')).join('');
}

function toSource({
  n,
  snapshot,
  start,
  title,
  headings,
  text,
  score,
  url,
  near,
  corpusSize,
  standing,
}: Evidence): Source {
  const source = { n, snapshot, start, title, headings, text, score, url, places: standing?.places ?? 0 };
  return {
    ...source,
    ...(near === undefined ? {} : { near }),
    ...(corpusSize === undefined ? {} : { corpusSize }),
  };
}
