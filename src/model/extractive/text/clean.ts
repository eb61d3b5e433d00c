/**
 * Cleans Markdown for an answer: removes link targets, images, HTML tags, emphasis, quote signs and reference marks such
 * as "[3]" or "[citation needed]", and escapes what could still be taken for a citation marker. Inline code stays in its
 * backticks.
 *
 * To find a cleaned sentence in its page, remove what `removedPattern` matches from the page and compare letters and
 * digits only, in order. Nothing else is changed.
 */
import { referenceMark } from '../../../base/text/markers.ts';

/** Matches what is removed: images, link targets, reference marks, tags, comments and non-breaking spaces. Global. */
export const removedPattern = new RegExp(
  String.raw`&nbsp;|!\[[^\]\n]{0,300}\]\([^()\n]{0,500}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|\]\([^()\n]{0,500}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|${referenceMark}|(?<!\\)<!--[^>]{0,500}-->|(?<!\\)<\/?(?:a|abbr|b|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|embed|font|form|h[1-6]|hr|i|iframe|img|input|ins|kbd|li|link|mark|meta|object|ol|p|picture|pre|q|s|samp|script|small|source|span|strong|style|sub|summary|sup|svg|table|tbody|td|th|thead|tr|tt|u|ul|var|video)\b[^<>\n]{0,300}>`,
  'gi',
);

/** Placeholder for an unpaired backtick until the rest is cleaned: the text around it must not be joined before. */
const unpaired = '\u0002';

/** Without any of these characters there is no markup: most sentences of prose. */
const mayHaveMarkup = /[\u0000-\u0002`*_[\]<>&\\]/;

/** The text of a Markdown fragment on one line, with inline code in single backticks. */
export function cleanMarkdown(raw: string): string {
  if (!mayHaveMarkup.test(raw)) return joinLines(raw).trim();
  const shown: string[] = [];
  // Odd pieces are runs of backticks. One without a match is dropped.
  const pieces = raw.replace(/[\u0000-\u0002]/g, '').split(/(`+)/);
  let prose = '';
  for (let i = 0; i < pieces.length; i += 1) {
    const piece = pieces[i]!;
    const close = piece.startsWith('`') ? pieces.indexOf(piece, i + 1) : -1;
    if (close === -1) {
      prose += piece.startsWith('`') ? unpaired : piece;
      continue;
    }
    const code = pieces.slice(i + 1, close).join('');
    // Only code between single backticks stays code: a reader that counts backticks must find it.
    if (piece.length > 1 || code.includes('`') || /\n\s*\n/.test(code)) prose += escapeAll(code);
    else {
      // A placeholder, while the prose around it is cleaned, including links that contain the code.
      prose += `\u0000${shown.length}\u0000`;
      shown.push(`\`${code.replace(/\s*\n\s*/g, ' ')}\``);
    }
    i = close;
  }
  return cleanProse(prose)
    .replace(/\u0000(\d+)\u0000/g, (_, index) => shown[Number(index)] ?? '')
    .replaceAll('](', '] (')
    .trim();
}

function cleanProse(prose: string): string {
  const bare = prose
    .replace(removedPattern, (match) => (match.startsWith('](') ? '\u0001' : /^[<&]/.test(match) ? ' ' : ''))
    .replace(/\[((?:[^[\]\n\u0001]){0,300})\u0001/g, '$1')
    .replace(/\u0001/g, '')
    .replace(/^\s*(?:>\s*)+/gm, '')
    .replace(/(\*{1,3}|_{1,3})(?=\S)([^*_\n]{1,400}?)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/\*\*|__/g, '')
    .replace(/<(https?:[^<>\s]+)>/g, '$1')
    .replace(/<(?=[a-zA-Z/!?])/g, '\\<');
  return escapeMarkers(joinLines(bare).replaceAll(unpaired, ''));
}

/** What `joinLines` would change: most sentences have none of it, and replacing blanks by themselves copies the text. */
const isUneven = /[^\S ]| [ .,;:!?)]/;

/** One blank between words, and none before a mark. */
function joinLines(text: string): string {
  if (!isUneven.test(text)) return text;
  return text.replace(/\s+/g, ' ').replace(/ (?=[.,;:!?)](?:\s|$))/g, '');
}

/** Code that cannot be shown in single backticks, as plain text. */
function escapeAll(code: string): string {
  return code.replace(/[`\s]+/g, ' ').replace(/[[\]<*_]/g, '\\$&');
}

/** Escapes the brackets of "[7]", which would read as a citation; Markdown renders it the same. */
function escapeMarkers(text: string): string {
  return text.replace(/\\?\[(\d[\d,\s]*)\\?\]/g, '\\[$1\\]');
}
