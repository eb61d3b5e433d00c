/** An answer to copy: as Markdown with footnotes, as the original JSON, or as the curl command that requests it. */
import type { SearchInput, SearchState } from '../../../client/client.ts';
import { findClaims } from './cited-claims.ts';

export interface MarkdownOptions {
  /** Before the question; `#` by default. */
  readonly heading?: string;
  /** The label of the footnote of source `n`; the number by default. */
  readonly label?: (n: number) => string;
}

/** Markers become footnotes with the source and the cited quotes. */
export function asMarkdown(
  prompt: string,
  search: SearchState,
  { heading = '#', label = String }: MarkdownOptions = {},
): string {
  const head = prompt === '' ? '' : `${heading} ${oneLine(prompt)}\n\n`;
  const body =
    search.mode === 'structured'
      ? `\`\`\`json\n${JSON.stringify(search.output, null, 2)}\n\`\`\``
      : search.blocks
          .map(({ text, citations }) => withFootnotes(text, findClaims(text, citations), label))
          .join('\n\n');
  const notes = search.sources.flatMap(({ id, n, title, url }) => {
    const quotes = search.citations
      .filter(({ source_id }) => source_id === id)
      .map(({ quote }) => `“${oneLine(quote)}”`);
    if (quotes.length === 0) return [];
    const marker = search.mode === 'structured' ? `- [${n}]` : `[^${label(n)}]:`;
    return [`${marker} [${oneLine(title).replace(/[[\]\\]/g, '\\$&')}](<${url}>): ${[...new Set(quotes)].join(' ')}`];
  });
  return `${head}${body.trim()}\n${notes.length === 0 ? '' : `\n${notes.join('\n')}\n`}`;
}

function withFootnotes(text: string, claims: ReturnType<typeof findClaims>, label: (n: number) => string): string {
  let written = '';
  let from = 0;
  for (const { at, until, markers } of claims) {
    written += text.slice(from, at) + markers.map(({ n }) => `[^${label(n)}]`).join('');
    from = until;
  }
  return written + text.slice(from);
}

export function asJson(search: SearchState): string {
  return `${JSON.stringify(search.result, null, 2)}\n`;
}

/** Expects the key in the shell variable `KEY`; an image is replaced by a placeholder. */
export function asCurl(origin: string, request: SearchInput): string {
  const { image, thread: _, ...rest } = request;
  const body = image === undefined ? rest : { ...rest, image: '<image as base64, or its URL>' };
  const json = JSON.stringify(body).replaceAll("'", `'\\''`);
  return `curl -s ${origin}/v1/search -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\\n  -d '${json}'\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
