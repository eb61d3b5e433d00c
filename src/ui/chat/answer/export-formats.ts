/**
 * An answer to copy: as Markdown with footnotes, as plain text, as the original JSON, or as the curl command that requests it.
 */
import type { SearchInput, SearchState, TextResult } from '../../../client/client.ts';
import { t } from '../../language/text.ts';
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
          .map(({ id, text, citations }) => {
            const footnotes = findClaims(text, citations).map(({ at, until, markers }) => {
              return { at, until, text: markers.map(({ n }) => `[^${label(n)}]`).join('') };
            });
            return replaced(text, [...footnotes, ...noSources(search, id, `*[${t.answer.noSource}]*`)]);
          })
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

/** What takes the place of `[at, until)` in a text. */
interface Replacement {
  readonly at: number;
  readonly until: number;
  readonly text: string;
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  let written = '';
  let from = 0;
  for (const { at, until, text: own } of [...replacements].sort((a, b) => a.at - b.at)) {
    written += text.slice(from, at) + own;
    from = until;
  }
  return written + text.slice(from);
}

/** The mark after each sentence of a block that has lost its sources, as the page shows it. */
function noSources({ mode, result }: SearchState, block: string, mark: string): Replacement[] {
  const uncited = (mode === 'text' && (result as TextResult | undefined)?.uncited) || [];
  return uncited.flatMap(({ block: of, end }) => (of === block ? [{ at: end, until: end, text: ` ${mark}` }] : []));
}

/** The words of an answer, without markers; with them and a numbered list of the cited sources if `sources` is set. */
export function asPlainText(search: SearchState, { sources: withSources = false } = {}): string {
  const text =
    search.mode === 'structured'
      ? JSON.stringify(search.output, null, 2)
      : search.blocks
          .map(({ id, text: block, citations }) => {
            const markers = withSources ? [] : findClaims(block, citations).map((claim) => ({ ...claim, text: '' }));
            return plainWords(replaced(block, [...markers, ...noSources(search, id, `[${t.answer.noSource}]`)]));
          })
          .join('\n\n');
  const cited = search.sources.filter(({ id }) => search.citations.some(({ source_id }) => source_id === id));
  const list = cited.map(({ n, title, url }) => `[${n}] ${oneLine(title)}: ${url}`);
  return `${text.trim()}\n${withSources && list.length > 0 ? `\n${list.join('\n')}\n` : ''}`;
}

/** Markdown without its signs: those of emphasis, headings, links and code. */
function plainWords(markdown: string): string {
  return markdown
    .replace(/^ {0,3}(?:```|~~~).*\n?/gm, '')
    .replace(/^#{1,6} +/gm, '')
    .replace(/(\*\*|__|`)(?=\S)([^\n]{1,2000}?)\1/g, '$2')
    .replace(/\[([^\]\n]{1,500})\]\((?:https?:[^)\s]{1,2000})\)/g, '$1');
}

export function asJson(search: SearchState): string {
  return `${JSON.stringify(search.result, null, 2)}\n`;
}

/** The key, and an image, are placeholders. */
export function asCurl(origin: string, request: SearchInput): string {
  const { image, thread: _, ...rest } = request;
  const body = image === undefined ? rest : { ...rest, image: '<image as base64, or its URL>' };
  const json = JSON.stringify(body).replaceAll("'", `'\\''`);
  return `curl -s ${origin}/v1/search -H 'X-API-Key: <API_KEY>' -H 'Content-Type: application/json' \\\n  -d '${json}'\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
