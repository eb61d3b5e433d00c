/** A whole thread as a file: Markdown with footnotes, or JSON. */
import type { SearchState } from '../../../client/client.ts';
import { asMarkdown } from './export-formats.ts';

export interface ExportedTurn {
  readonly prompt: string;
  readonly search: SearchState;
}

/** One heading a question; the footnotes of each answer have labels of their own. */
export function threadAsMarkdown(title: string, turns: readonly ExportedTurn[]): string {
  const parts = turns.map(({ prompt, search }, at) =>
    asMarkdown(prompt, search, { heading: '##', label: (n) => `${at + 1}-${n}` }),
  );
  return `# ${title.replace(/\s+/g, ' ')}\n\n${parts.join('\n')}`;
}

/** The questions with their results, as `POST /v1/search` returns them. */
export function threadAsJson(title: string, turns: readonly ExportedTurn[]): string {
  const searches = turns.map(({ prompt, search: { search_id, state, status, result } }) => {
    return { prompt, search_id, state, status, result };
  });
  return `${JSON.stringify({ title, searches }, null, 2)}\n`;
}
