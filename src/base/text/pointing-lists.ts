/** Passages that only say where to read: lists of links, and the index or the contents of a manual, whose links a file may have lost. */

/** Lines from which a list is long, and the share of them that point. Set by hand on the manuals of Debian. */
const minLines = 10;
const minShare = 0.8;
/** The same of a page that is called an index. */
const minIndexLines = 3;
/** Words of an entry of an index. Set by hand. */
const maxWords = 12;

const link = /!?\[(?:[^[\]\n]|\\[[\]]){0,200}\]\([^()\s]{0,500}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?\)/g;
/** An item that ends in a link or a file, or begins with a file: "VACUUM - lang_vacuum.html", "[VACUUM](/vacuum)". */
const endsInLink = /^\s*(?:[-*]|\d+\.) (?:.*(?:\.html?(?:#\S*)?|\]\([^()\s]*\))$|\S+\.html?(?:#\S*)? )/;
const indexTitle =
  /\b(?:ind(?:ex|exes|ices)|(?:table of )?contents|site ?map|cross-?reference|stichwortverzeichnis|inhaltsverzeichnis)\b/i;

interface Titled {
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

/** Whether a passage is a long list of links, or a list below a title that calls it an index or contents. */
export function isPointingList({ title, headings, text }: Titled): boolean {
  const isIndex = indexTitle.test(title) || indexTitle.test(headings);
  const points = isIndex ? pointsFromIndex : isLink;
  // Looking at its end is cheaper than reading its lines, and few end like that.
  if (!points(text.slice(text.lastIndexOf('\n') + 1))) return false;
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^[\s|:-]+$|^\s*#{1,6}\s/.test(line));
  return lines.length >= (isIndex ? minIndexLines : minLines) && lines.filter(points).length >= minShare * lines.length;
}

/** Whether an item or row has links and nothing else to read, or ends in one. */
function isLink(line: string): boolean {
  if (endsInLink.test(line)) return true;
  return line.includes('](') && !/[\p{L}\p{N}]/u.test(line.replace(/^\s*\d+[.)] /, '').replace(link, ''));
}

/** Whether a line is a few words that say nothing: an item or row without a figure, which would be a value, and without an end mark. */
function pointsFromIndex(line: string): boolean {
  if (isLink(line)) return true;
  if (!/^\s*(?:[-*|]|\d+[.)]\s)/.test(line)) return false;
  const bare = line
    .replace(/^\s*[-*|]?\s*[\d.]*\s/, '')
    .replace(/`[^`\n]*`|\|/g, ' ')
    .trim();
  return !/\p{N}|[.!?]$/u.test(bare) && bare.split(/\s+/).length <= maxWords;
}
