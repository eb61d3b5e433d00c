/**
 * Numbers in brackets that an answer copies from a page: "in the range [1, 5]", "a mode (2)", "list[2]", `$[1, 2]$`. They look
 * like markers and are text.
 */
import type { Evidence } from '../../ports/snapshot.ts';
import { longestMarker } from './marker-numbers.ts';
import type { MarkedNumbers, Place } from './marker-place.ts';

/** Whether a page says a text, whatever its marks and blanks. */
export type SaysText = (text: string) => boolean;

/** Finds texts in the evidence, which is read when the first is looked for. */
export function createSaysText(evidence: readonly Evidence[]): SaysText {
  let pages: readonly string[] | undefined;
  return (text) => {
    pages ??= evidence.map((piece) => bare(piece.text));
    return pages.some((page) => page.includes(text));
  };
}

/** Characters before the numbers that a page has, too, and the fewest that tell anything; set by hand. */
const tail = 12;
const shortest = 4;
/** Characters of a line that are read for them, and of a formula before the numbers. */
const longestTail = 60;
const longestFormula = 200;

const codeName =
  /(?:^|[^\p{L}\p{N}])(?:arr|arrays?|args?|argv|list|lists|items?|data|rows?|cols?|keys|values?|vals?|nums?|parts|lines|tokens|groups?|match|matches|matrix|tuple|vec|vector|str|buf|buffer|params|results?|elements?|\p{Ll}{2,}\p{Lu}\p{L}*)$/u;

/**
 * How the numbers found at a place are shown if they are text and no marker; `more` if that depends on text to come; undefined for
 * a marker. Brackets are escaped, so that no reader takes them for a citation, except in formulas.
 */
export function shownAsText(place: Place, found: MarkedNumbers, saysText: SaysText): string | undefined {
  const { line, at, before, isWhole, afterMarker } = place;
  const written = line.slice(at, found.end);
  if (afterMarker) return undefined;
  if (isInFormula(before)) {
    const rest = line.slice(found.end, found.end + longestMarker);
    if (/(?<![\s\\])\$|^\$/.test(rest)) return written;
    if (!isWhole && rest.length < longestMarker) return 'more';
  }
  return isCopied(before, written, found, saysText) ? written.replace(/\\?([[\]])/g, '\\$1') : undefined;
}

function isCopied(before: string, written: string, { numbers }: MarkedNumbers, saysText: SaysText): boolean {
  if (/[\p{L}<>†【】]/u.test(written) || numbers.length === 0) return false;
  const said = bare(before.slice(-longestTail)).slice(-tail);
  if (said.length < shortest) return false;
  const mayBeText = written.includes('[')
    ? numbers.length > 1 || codeName.test(before.slice(-longestTail))
    : // A footnote follows its word; one that a page has there, too, is that of the page.
      /[({「«⁰¹²³⁴-⁹]/u.test(written) || /\s$/.test(before);
  return mayBeText && saysText(said + bare(written));
}

/** Whether a line ends in a formula between dollars: what may be in one, and no price. */
function isInFormula(before: string): boolean {
  const marks = before.slice(-2 * longestFormula).match(/(?<!\\)\${1,2}/g);
  if (marks === null || marks.length % 2 === 0) return false;
  const open = before.lastIndexOf('$');
  const inside = before.slice(open + 1);
  if (inside.length > longestFormula || /^\s/.test(inside) || /[\p{L}\p{N}]\$+$/u.test(before.slice(0, open + 1)))
    return false;
  const symbols = inside.replace(/\\[a-z]+/gi, '\\');
  return !/\p{L}{3,}/u.test(symbols) && /(?:^|[\\=<>+\-*/(,{|^_&:])\s*$|\\|[_^]\{/.test(symbols);
}

/** Letters, digits and signs, without the marks and blanks that a model writes in its own way. */
function bare(text: string): string {
  return text.replace(/[\s\\*_`]+/g, '').toLowerCase();
}
