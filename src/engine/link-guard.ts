/**
 * No address is made up: a link, picture or bare address in an answer stays only if it stands in the evidence, or leads to
 * a page that the evidence is from, and only if it leads to a page at all and runs nothing. Of other links the text stays;
 * pictures and tags that load never do, since showing them would already call their server. Code stays as it is but for
 * made-up addresses: what looks like code here may be none to whoever shows it. Works on a stream: whatever may still
 * become one of these waits until it is one or is not.
 */

import { type Fences, fencesAfter, isFenced, isSpan } from './code-in-markdown.ts';
import type { Evidence } from './ports/snapshot.ts';

export interface LinkGuard {
  push(piece: string): string;
  finish(): string;
}

/** Nothing in a text without these can be part of an address, a link, a picture or a tag. */
const suspicious = /[[\](<!:/`]|www|[hw]$|htt?$|https?$|ww$/i;

const loading =
  'a|area|audio|base|embed|form|frame|iframe|image|img|input|link|meta|object|script|source|style|svg|track|video';
const loads = new RegExp(`^(?:${loading})$`, 'i');
/** A tag goes on over breaks of lines, and its name may end in a slash. */
const inTag = String.raw`[\s/](?:[^<>\n]|\n(?!\s*\n)){0,1000}`;

const running = 'javascript|vbscript|data|blob';

/** In this order: pictures, targets of links, tags, addresses on their own, what a reference stands for. */
const finds = new RegExp(
  [
    String.raw`!\[(?<alt>[^\]\n]{0,500})\](?:\((?:[^()\n]|\([^()\n]*\)){0,2000}\)|\[[^\]\n]{0,200}\])`,
    String.raw`\]\(\s{0,9}<?(?<target>(?:[^()\s<>]|\([^()\s]*\)){0,2000})>?(?<rest>[^()\n]{0,500})\)`,
    String.raw`<\/?(?<tag>(?:${loading})(?=[\s/>])|[a-z][a-z0-9-]*(?=[\s>]))(?:${inTag})?\/?>`,
    String.raw`(?<bare>\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)[^\s<>"'\`)\]}]+|(?<=<)(?:${running}):[^\s<>]*)`,
    String.raw`(?<=\]:\s{0,9}<?)(?<reference>[^\s<>()[\]!]+)`,
  ].join('|'),
  'gi',
);

/**
 * A target that was begun. Each character can be read in one way alone, here and above, and each run of them has an end:
 * else a page with many brackets would hold up the process.
 */
const open = String.raw`\((?:[^()\n]|\([^()\n]*\)){0,2000}(?:\([^()\n]*)?`;

/** The end of a text that may still become one of them, or grow. */
const unfinished = new RegExp(
  [
    '!$',
    String.raw`!\[[^\]\n]{0,500}$`,
    String.raw`!\[[^\]\n]{0,500}\](?:${open}|\[[^\]\n]{0,200})?$`,
    String.raw`\](?:${open}|:\s{0,9}<?[^\s<>]{0,2000})?$`,
    String.raw`<\/?(?:(?:${loading})${inTag}|[a-z][^<>\n]{0,2000})?$`,
    String.raw`\b(?:h|ht|htt|https?|https?:\/?|w|ww|www)$`,
    String.raw`\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>"'\`)\]}]{0,2000}$`,
    String.raw`\b[a-z][a-z0-9+.-]{1,20}:\/?$`,
  ].join('|'),
  'i',
);

/** Leads to a page, or a place in this one: before the path stands no scheme of another kind, nor what may be read as one. */
const harmless = /^(?:(?:https?|mailto|file):|[^:&\\/?#]*(?:[/?#]|$))/i;
/** The same, as far as code allows, in which `list[0]({a: 1})` is no link. */
const runs = new RegExp(String.raw`^(?:(?:${running})\\?:|[^/?#]*&#?\w+;)`, 'i');
const address = /(?:[a-z][a-z0-9+.-]*:)?\/\/[^\s<>"'`)\]}]+/gi;
const leadsAway = new RegExp(`^${address.source}`, 'i');

export function createLinkGuard(evidence: readonly Evidence[]): LinkGuard {
  let waiting = '';
  /** What was passed, as far as it tells whether the next text is code. */
  let passed: Place = { line: '', fences: [] };

  /** A closed list of texts, so that nothing can be put behind an address that stands there. */
  function stands(url: string): boolean {
    const bare = url.replace(/[.,;:!?*_]{1,20}$/, '');
    return evidence.some((piece) => {
      if (piece.url.startsWith(bare) || bare === `${piece.url}/`) return true;
      for (let at = piece.text.indexOf(bare); at !== -1; at = piece.text.indexOf(bare, at + 1)) {
        if (!/[\w/?#&=%+-]/.test(piece.text[at + bare.length] ?? ' ')) return true;
      }
      return false;
    });
  }

  const isMadeUp = (url: string) => leadsAway.test(url) && !stands(url);
  const withoutMadeUp = (text: string) => text.replace(address, (url) => (stands(url) ? url : ''));

  function clean(text: string): string {
    const cleaned = text.replace(finds, (found, ...rest) => {
      const { alt, target, tag, reference, bare } = rest.at(-1) as Record<string, string | undefined>;
      if (bare !== undefined) return stands(bare) && !runs.test(bare) ? found : '';
      const at = rest.at(-3) as number;
      const code = isCode(placeAfter(passed, text.slice(0, at)), text.slice(at + found.length));
      if (reference !== undefined) {
        return (code ? !runs.test(reference) : harmless.test(reference)) && !isMadeUp(reference) ? found : '';
      }
      if (target !== undefined) {
        const stays = code
          ? !runs.test(target) && !isMadeUp(target)
          : harmless.test(target) && (target.startsWith('#') || stands(target));
        return stays ? found : ']';
      }
      if (!code && alt !== undefined) return alt;
      return !code && tag !== undefined && loads.test(tag) ? '' : withoutMadeUp(found);
    });
    passed = placeAfter(passed, text);
    return cleaned;
  }

  return {
    push(piece) {
      if (waiting === '' && !suspicious.test(piece)) {
        passed = placeAfter(passed, piece);
        return piece;
      }
      waiting += piece;
      const safe = Math.min(unfinished.exec(waiting)?.index ?? waiting.length, openSpan(passed, waiting));
      const text = waiting.slice(0, safe);
      waiting = waiting.slice(safe);
      return clean(text);
    },
    finish() {
      const text = clean(waiting);
      waiting = '';
      return text;
    },
  };
}

/** A place in a text of Markdown: its line so far, and the fences that it stands in. */
interface Place {
  readonly line: string;
  readonly fences: Fences;
}

function placeAfter({ line, fences }: Place, text: string): Place {
  if (!text.includes('\n')) return { line: line + text, fences };
  const lines = (line + text).split('\n');
  const last = lines.pop()!;
  return { line: last, fences: lines.reduce(fencesAfter, fences) };
}

const longestSpan = 2_000;

/** Where in the text a backtick stands that is not closed yet, though its line may still do so; the text's end without one. */
function openSpan(passed: Place, text: string): number {
  const begin = text.lastIndexOf('\n') + 1;
  const { line, fences } = placeAfter(passed, text.slice(0, begin));
  const at = text.lastIndexOf('`');
  const isOpen = !isFenced(fences) && isSpan(line + text.slice(begin), '', false) === undefined;
  return isOpen && at >= begin && text.length - at < longestSpan ? at : text.length;
}

/** `after` is what is known of the rest. */
function isCode({ line, fences }: Place, after: string): boolean {
  return isFenced(fences) || isSpan(line, after.split('\n', 1)[0]!, true) === true;
}
