/**
 * The model that needs no network and no language model: it answers with the evidence's own sentences. Question analysis
 * is cheap and runs here; scoring runs on worker threads, a few milliseconds for a dozen passages. `reflect` and `write`
 * over the same evidence are one piece of work, done once.
 *
 * It never paraphrases, so a sentence of its answer is found in the evidence again once Markdown is set aside (clean.ts
 * says how). It does not weigh sources against each other.
 */

import { LRUCache } from 'lru-cache';
import { untilAborted } from '../../base/abort.ts';
import { createWorkerPool } from '../../base/worker-pool.ts';
import type { Brief, LeafValue, Model } from '../../engine/ports/model.ts';
import type { Evidence } from '../../engine/ports/snapshot.ts';
import type { Answer } from './answer/answer.ts';
import type { Result, Task } from './extractive-worker.ts';
import { leansOn, planSearch } from './question/plan.ts';
import type { Source } from './text/passages.ts';

export interface ExtractiveOptions {
  /** Worker threads, 1 if not given. */
  readonly threads?: number;
}

/** More evidence than this adds time and no answers. */
const maxSources = 24;

export interface ExtractiveModel extends Model {
  /** Starts its threads; else the first question does, and waits for them. */
  start(): void;
  close(): Promise<void>;
}

export function createExtractiveModel(options: ExtractiveOptions = {}): ExtractiveModel {
  const threads = createWorkerPool<Task, Result>({
    worker: new URL('./extractive-worker.ts', import.meta.url),
    workers: options.threads ?? 1,
    concurrency: 4,
  });
  const answers = new LRUCache<string, Promise<Answer>>({ max: 64 });

  function answer(prompt: string, evidence: readonly Evidence[], signal: AbortSignal): Promise<Answer> {
    const sources = evidence.slice(0, maxSources).map(toSource);
    const key = JSON.stringify([prompt, sources.map(({ n, snapshot, start, score }) => [n, snapshot, start, score])]);
    let known = answers.get(key);
    if (known === undefined) {
      known = threads.run({ stage: 'answer', prompt, sources }) as Promise<Answer>;
      answers.set(key, known);
      known.catch(() => answers.delete(key));
    }
    return untilAborted(known, signal);
  }

  return {
    name: 'extractive',
    async plan(brief, { signal }) {
      signal.throwIfAborted();
      return planSearch(questionOf(brief), wishesOf(brief));
    },
    async reflect(brief, evidence, { signal }) {
      const { pieces, queries } = await answer(questionOf(brief), evidence, signal);
      return { enough: pieces.length > 0 && queries.length === 0, queries };
    },
    async *write(brief, evidence, { signal }) {
      const { pieces } = await answer(questionOf(brief), evidence, signal);
      for (const piece of pieces) {
        signal.throwIfAborted();
        yield piece;
      }
    },
    async *fill(brief, leaves, evidence, { signal }) {
      const prompt = questionOf(brief);
      const task: Task = { stage: 'fill', prompt, leaves, sources: evidence.slice(0, maxSources).map(toSource) };
      yield* (await untilAborted(threads.run(task), signal)) as LeafValue[];
    },
    start: () => threads.start(),
    close: () => threads.close(),
  };
}

/** A question that leans on the one before ("When was it built?") is read with it; any other stands alone. */
function questionOf({ question, previous }: Brief): string {
  const before = previous.at(-1);
  return before !== undefined && leansOn(question) ? `${question}\n\n${before}` : question;
}

/** Where a timeframe and sources may be asked for: not in what a caller filled in. */
function wishesOf(brief: Brief): string {
  if (brief.parts === undefined) return questionOf(brief);
  return brief.parts.map(({ text, input }) => (input === undefined ? text : '…')).join('');
}

function toSource({ n, snapshot, start, title, headings, text, score, url }: Evidence): Source {
  return { n, snapshot, start, title, headings, text, score, url };
}
