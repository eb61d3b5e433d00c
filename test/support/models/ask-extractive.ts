/** Asks the extractive model about pages that are given, without an index. */
import type { StageContext } from '../../../src/engine/ports/model.ts';
import type { Evidence } from '../../../src/engine/ports/snapshot.ts';
import { createExtractiveModel } from '../../../src/model/extractive/extractive.ts';

const context: StageContext = {
  signal: new AbortController().signal,
  meter: { admit: () => {}, left: () => Number.POSITIVE_INFINITY, record: () => {} },
};

/** A model that answers a question from pages with its Markdown; close it after the tests. */
export function createAsker(): {
  ask(question: string, pages: readonly Evidence[]): Promise<string>;
  close(): Promise<void>;
} {
  const model = createExtractiveModel();
  return {
    async ask(question, pages) {
      let text = '';
      const brief = { prompt: question, question, previous: [], today: '2026-01-01' };
      for await (const part of model.write(brief, pages, context)) text += part;
      return text;
    },
    close: () => model.close(),
  };
}

/** A page with this text as its only passage; the lower `n`, the better it was found. */
export function pageAt(url: string, n: number, title: string, text: string): Evidence {
  return { n, snapshot: url, url, title, headings: title, text, start: 0, end: text.length, score: 30 - n };
}
