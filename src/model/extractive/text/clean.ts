/**
 * Markdown as an answer shows it: the words of the page without what only works on that page. Links lose their targets,
 * images and HTML tags go, emphasis and quote signs go, reference marks such as "[3]" or "[citation needed]" go, and
 * what could still be taken for a citation marker is escaped. Inline code stays, in its backticks.
 *
 * To find a cleaned sentence in its page: drop from the page what `removedPattern` matches, then compare letters and
 * digits alone, in order. Nothing else is changed.
 */

/** Images, link targets, reference marks, tags, comments and hard blanks: what the shown text leaves out. */
export const removedPattern =
  /&nbsp;|!\[[^\]\n]{0,300}\]\([^()\n]{0,500}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|\]\([^()\n]{0,500}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|\\?\[(?:\d{1,4}(?:\s?[,–-]\s?\d{1,4})*|[a-z]|note \d+|nb \d+|\^[\w-]{1,20}|citation needed|clarification needed|who\?|when\?)\\?\]|(?<!\\)<!--[^>]{0,500}-->|(?<!\\)<\/?(?:a|abbr|b|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|embed|font|form|h[1-6]|hr|i|iframe|img|input|ins|kbd|li|link|mark|meta|object|ol|p|picture|pre|q|s|samp|script|small|source|span|strong|style|sub|summary|sup|svg|table|tbody|td|th|thead|tr|tt|u|ul|var|video)\b[^<>\n]{0,300}>/gi;

/** Stands for a backtick without its twin until the rest is cleaned: what it parts must not grow together before. */
const stray = '\u0002';

export function cleanMarkdown(raw: string): string {
  const shown: string[] = [];
  // Odd pieces stand inside backticks. A backtick without its twin is dropped with the even ones.
  const pieces = raw.replace(/[\u0000-\u0002]/g, '').split(/(`+)/);
  let prose = '';
  for (let i = 0; i < pieces.length; i += 1) {
    const piece = pieces[i]!;
    const close = piece.startsWith('`') ? pieces.indexOf(piece, i + 1) : -1;
    if (close === -1) {
      prose += piece.startsWith('`') ? stray : piece;
      continue;
    }
    const code = pieces.slice(i + 1, close).join('');
    // A single backtick each side, none within: whoever counts backticks to tell code from prose counts right.
    if (piece.length > 1 || code.includes('`') || code.includes('\n')) prose += escapeAll(code);
    else {
      // Code keeps its place while the prose around it is cleaned, links across it included.
      prose += `\u0000${shown.length}\u0000`;
      shown.push(`\`${code}\``);
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
    .replace(/<(?=[a-zA-Z/!?])/g, '\\<')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?)](?:\s|$))/g, '');
  return escapeMarkers(bare.replaceAll(stray, ''));
}

/** Code that cannot stand in backticks, as the text that it is. */
function escapeAll(code: string): string {
  return code.replace(/[`\s]+/g, ' ').replace(/[[\]<*_]/g, '\\$&');
}

/** "[7]" would read as a citation: its brackets are escaped, which Markdown shows the same. */
function escapeMarkers(text: string): string {
  return text.replace(/\\?\[(\d[\d,\s]*)\\?\]/g, '\\[$1\\]');
}
