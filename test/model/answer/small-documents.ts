/** Documents of a folder that has only a few, as the answers of these tests read them. */
import type { Source } from '../../../src/model/extractive/text/passages.ts';

/** The whole of a document as one passage. */
export function smallDocument(title: string, text: string, more: Partial<Source> = {}): Source {
  const url = `file:///club/${title}`;
  return { n: 1, snapshot: title, start: 0, title, headings: '', url, score: 1, corpusSize: 'small', text, ...more };
}

/** A table; the cells of a row are separated by " | ", and the first row is its head. */
export function smallTable(title: string, rows: readonly string[], more: Partial<Source> = {}): Source {
  const [head = '', ...others] = rows.map((row) => `| ${row} |`);
  return smallDocument(title, [head, '|---|---|', ...others].join('\n'), more);
}
