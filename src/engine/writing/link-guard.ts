/**
 * No invented addresses, and no links except to sources: a link in an answer stays only if it leads to a page that the
 * evidence is from. Of other links only the text stays. A bare address stays if it is such a page, or if the evidence shows
 * it: then as code, which no renderer turns into a link. Images, and tags that load something, never stay: showing them
 * would already call their server. Code stays except for invented addresses, because another renderer may not treat it as
 * code. Works on a stream: text that may still become one of these waits until that is decided.
 */

import { addressPart, startsWithForeignMark } from '../address-pattern.ts';
import type { Evidence } from '../ports/snapshot.ts';
import { type Fences, fencesAfter, isFenced, isSpan, noFences } from './code-in-markdown.ts';
import { isMarkerText, numbersIn } from './markers/marker-numbers.ts';

export interface LinkGuard {
  /** Takes a piece of the answer and returns the text that is safe to send. */
  push(piece: string): string;
  /** Returns the rest. */
  finish(): string;
}

/** A text without any of these contains no part of an address, a link, an image or a tag. */
const suspicious = /[[\](<!:/`]|www|[fhw]$|ftp?$|htt?$|https?$|ww$/i;

const loading =
  'a|area|audio|base|embed|form|frame|iframe|image|img|input|link|meta|object|script|source|style|svg|track|video';
const loads = new RegExp(`^(?:${loading})$`, 'i');
/** A tag may continue over line breaks, and its name may end with a slash. */
const inTag = String.raw`[\s/](?:[^<>\n]|\n(?!\s*\n)){0,1000}`;

/** A number in a tag that is taken out: `<a href="#2">2</a>`. */
const taggedNumber = String.raw`<(?:a|source)(?:\s[^<>\n]{0,300})?>\s?`;

const scriptSchemes = 'javascript|vbscript|data|blob';
/** They lead to another host also without slashes: "https:a.example" is "https://a.example" in a page of the other scheme. */
const leavingSchemes = '(?:https?|ftp|wss?|file):';

/** Where an address may begin: also after an underscore, which may be emphasis. */
const start = '(?<![a-z])';

/** What is between a definition's label and its target: blanks, and at most one line end, also in a quote. */
const toTarget = String.raw`[ \t>]*(?:\n[ \t>]*)?<?`;

/** In this order: images, links, link targets, reference links, tags, bare addresses, link reference definitions. */
const addressable = new RegExp(
  [
    String.raw`!\[(?<alt>[^\]\n]{0,500})\](?:\((?:[^()\n]|\([^()\n]*\)){0,2000}\)|\[[^\]\n]{0,200}\])`,
    String.raw`\[(?<label>[^[\]\n]{0,200})\]\(\s{0,9}<?(?<to>(?:[^()\s<>]|\([^()\s]*\)){0,2000})>?[^()\n]{0,500}\)`,
    String.raw`(?<![\w\]])\[(?<named>[^[\]\n]{1,200})\]\[(?<name>[^[\]\n]{0,100})\]`,
    String.raw`\]\(\s{0,9}<?(?<target>(?:[^()\s<>]|\([^()\s]*\)){0,2000})>?(?<rest>[^()\n]{0,500})\)`,
    String.raw`${taggedNumber}\[?(?<linked>\d{1,3})\]?\s?<\/(?:a|source)>`,
    String.raw`<\/?(?<tag>(?:${loading})(?=[\s/>])|[a-z][a-z0-9-]*(?=[\s>]))(?:${inTag})?\/?>`,
    String.raw`<(?<auto>(?:${leavingSchemes}|[a-z][a-z0-9+.-]*:[\\/])[^\s<>]{0,2000})>`,
    String.raw`(?<bare>${start}(?:[a-z][a-z0-9+.-]*:\/\/|www\.)${addressPart}+|(?<=<)(?:${scriptSchemes}):[^\s<>]*)`,
    // What follows comes first: looking back from each blank of a long run would take quadratic time.
    String.raw`(?=[^\s<>()[\]!\x60])(?<=\]:${toTarget})(?<reference>[^\s<>()[\]!\x60]+)`,
  ].join('|'),
  'gi',
);

/**
 * The start of a link target. Here and above, every character can match in only one way and every run is bounded:
 * otherwise a page with many brackets would block the process.
 */
const open = String.raw`\((?:[^()\n]|\([^()\n]*\)){0,2000}(?:\([^()\n]*)?`;

/** The end of a text that may still become one of them, or continue. */
const unfinished = new RegExp(
  [
    '!$',
    String.raw`!\[[^\]\n]{0,500}$`,
    String.raw`(?<!\])\[[^[\]\n]{0,200}(?:\](?:${open}|\[[^[\]\n]{0,100}\]?)?)?$`,
    String.raw`!\[[^\]\n]{0,500}\](?:${open}|\[[^\]\n]{0,200})?$`,
    String.raw`\](?:${open}|:${toTarget}[^\s<>]{0,2000})?$`,
    String.raw`<\/?(?:(?:${loading})${inTag}|[a-z][^<>\n]{0,2000})?$`,
    String.raw`${taggedNumber}\[?(?:\d{1,3}\]?\s?(?:<(?:\/(?:[a-z]{1,6})?)?)?)?$`,
    String.raw`${start}(?:f|ft|ftp|h|ht|htt|https?|https?:\/?|w|ww|www)$`,
    String.raw`${start}(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)${addressPart}{0,2000}['’]?$`,
    String.raw`${start}[a-z][a-z0-9+.-]{1,20}:\/?$`,
  ].join('|'),
  'i',
);

/**
 * Leads to a place on this server, or to a mailbox: no other scheme and no host comes first, nor anything that may be read as one.
 */
const local = /^(?:mailto:|(?!\/[\\/])[^:&\\/?#]*(?:[/?#]|$))/i;
/** What may come before a definition on its line (CommonMark 0.31, 4.7), also in a quote or a list. */
const definitionStart = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*$/;
/** The check for code, in which `list[0]({a: 1})` is not a link: the target would run something. */
const executable = new RegExp(String.raw`^(?:(?:${scriptSchemes})\\?:|[^/?#]*&#?\w+;)`, 'i');
const address = new RegExp(String.raw`(?:[a-z][a-z0-9+.-]*:)?\/\/${addressPart}+`, 'gi');
const addressInText = new RegExp(String.raw`${start}(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)${addressPart}+`, 'gi');
const hasPath = /^[^/]*\/\/[^/?#]+[/?#]/;
const leadsAway = new RegExp(String.raw`^(?:${leavingSchemes}|[a-z][a-z0-9+.-]*:[\\/]|[\\/]{2})`, 'i');

/** A guard for one answer. `evidence` is the complete list of texts whose addresses are allowed. */
export function createLinkGuard(evidence: readonly Evidence[]): LinkGuard {
  let waiting = '';
  /** The position after what was passed on, which decides whether the next text is code. */
  let passed: Place = { line: '', fences: noFences };

  /** Whole addresses only, so that nothing can be appended to an address from the evidence. */
  function isInEvidence(url: string): boolean {
    const bare = url.replace(/[.,;:!?*_]{1,20}$/, '');
    return evidence.some((piece) => {
      if (withoutSlash(piece.url) === withoutSlash(bare)) return true;
      for (let at = piece.text.indexOf(bare); at !== -1; at = piece.text.indexOf(bare, at + 1)) {
        if (!/[\w/?#&=%+-]/.test(piece.text[at + bare.length] ?? ' ')) return true;
      }
      return false;
    });
  }

  const isInvented = (url: string) => leadsAway.test(url) && !isInEvidence(url);
  const withoutInvented = (text: string) => text.replace(address, (url) => (isInEvidence(url) ? url : ''));
  const isSource = (url: string) => evidence.some((piece) => withoutSlash(piece.url) === withoutSlash(url));

  /**
   * An address in prose: a source's as it is, one that the evidence shows as code, and no other. Of one that goes, the marks stay that
   * end its sentence or the emphasis around it. `after` is the text after it: as code, no renderer makes "，…" a part of a source's.
   */
  function bareAddress(url: string, after: string): string {
    const end = /[.,;:!?*_]{0,20}$/.exec(url)!.index;
    const bare = url.slice(0, end);
    const isEnded = !startsWithForeignMark.test(after);
    // With a slash, what follows is no part of its host: "https://a.example’.evil.example".
    const isOpen = !hasPath.test(bare) && /^[^\s<]/.test(after);
    if (isSource(bare) && isEnded) return isOpen ? `${bare}/${url.slice(end)}` : url;
    // "https://a.example/page's limit" names the page, but "…/Levi's" may be one.
    const owner = /(?<!(?:['’]s){3})['’]s$/.test(bare) && !isInEvidence(bare) ? bare.slice(0, -2) : undefined;
    if (owner !== undefined) return bareAddress(owner, url.slice(owner.length) + after) + url.slice(owner.length);
    if (isInEvidence(url) && !executable.test(url)) return `\`${bare}\`${url.slice(end)}`;
    return url.slice(end).replace(/[,;:]/g, '');
  }

  const withoutInventedInLabel = (label: string) =>
    label.replace(addressInText, (url, at: number) => bareAddress(url, label.slice(at + url.length)));

  function clean(text: string): string {
    const cleaned = text.replace(addressable, (found, ...rest) => {
      const { alt, label, to, named, name, target, linked, auto, tag, reference, bare } = rest.at(-1) as Groups;
      const at = rest.at(-3) as number;
      const after = text.slice(at + found.length);
      const code = isCode(placeAfter(passed, text.slice(0, at)), after);
      const address = auto ?? bare;
      if (address !== undefined) {
        if (code) return isInEvidence(address) && !executable.test(address) ? found : found.replace(address, '');
        return auto !== undefined && isSource(auto)
          ? found
          : bareAddress(address, auto === undefined ? after + waiting : '');
      }
      if (reference !== undefined) {
        const isDefinition = !code && mayBeDefined(passed.line + text.slice(0, at));
        const stays = isDefinition ? local.test(reference) : !executable.test(reference) && !isInvented(reference);
        return stays ? found : '';
      }
      const destination = to ?? target;
      // "[[2]](…)": the marker stays, whatever it leads to. "[text [2]](…)" is a link with one in it.
      const inner =
        target === undefined || code ? null : /(.?)\[([^[\]\n]{1,60})\]$/.exec(passed.line + text.slice(0, at));
      if (inner !== null && numbersIn(inner[2]!) !== undefined)
        return inner[1] !== '[' && isSource(destination!) ? found : ']';
      if (destination !== undefined && code) {
        if (!executable.test(destination) && !isInvented(destination)) return found;
        return to === undefined ? ']' : `[${label}]`;
      }
      // A marker that is also a link, to whatever it leads.
      if (label !== undefined && isMarkerText(label)) return `[${label}]`;
      if (destination !== undefined) {
        if (isSource(destination)) return found;
        return label === undefined ? ']' : withoutInventedInLabel(label);
      }
      if (named !== undefined) {
        const isMarker = isMarkerText(named) || numbersIn(name!) !== undefined;
        return code || isMarker ? found : withoutInventedInLabel(named);
      }
      // Left alone, the number of a marker would become a part of the text.
      if (!code && alt !== undefined) return isMarkerText(alt) ? `[${alt}]` : alt;
      if (!code && linked !== undefined) return `[${linked}]`;
      return !code && tag !== undefined && loads.test(tag) ? '' : withoutInvented(found);
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
      const text = waiting;
      waiting = '';
      return clean(text);
    },
  };
}

type Groups = Record<string, string | undefined>;

/** Whether a text ends in the label of a definition; false if its line has other text before it: "Score [1]: 2:1". */
function mayBeDefined(before: string): boolean {
  const label = before.slice(-maxLabel).replace(targetStart, '');
  const line = label.slice(label.lastIndexOf('\n') + 1);
  const open = line.lastIndexOf('[');
  return open === -1 || definitionStart.test(line.slice(0, open));
}

const targetStart = new RegExp(`${toTarget}$`);
/** Characters of a definition up to its target: a label has at most 999 (CommonMark 0.31, 4.7). The rest set by hand. */
const maxLabel = 2_000;

/** The same page with or without a slash at its end. */
function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url;
}

/** A position in a Markdown text: its line so far, and the fences around it. */
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

/** Characters that a code span may keep waiting; set by hand. */
const longestSpan = 2_000;

/** The position of a backtick that the rest of its line may still close; the text's length if there is none. */
function openSpan(passed: Place, text: string): number {
  const begin = text.lastIndexOf('\n') + 1;
  const { line, fences } = placeAfter(passed, text.slice(0, begin));
  if (isFenced(fences)) return text.length;
  // A run of backticks at the end may still grow: it may open a span, and does not close one yet.
  const ended = text.slice(begin).replace(/`+$/, '');
  const isOpen = isSpan(line + ended, '', false) === undefined;
  const at = isOpen ? text.lastIndexOf('`', begin + ended.length - 1) : begin + ended.length;
  return at >= begin && text.length - at < longestSpan ? at : text.length;
}

/** Whether the text at a position is code. `after` is the known part of what follows. */
function isCode({ line, fences }: Place, after: string): boolean {
  return isFenced(fences) || isSpan(line, after.split('\n', 1)[0]!, true) === true;
}
