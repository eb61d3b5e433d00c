/**
 * No address is made up: a link, picture or bare address in an answer stays only if it stands in the evidence, or leads to
 * a page that the evidence is from. Of other links the text stays; pictures and tags that load never do,
 * since showing them would already call their server. Code stays as it is but for made-up addresses. Works on a stream: whatever may still become one of these waits until it is one or is not.
 */
import type { Evidence } from './ports.ts';

export interface LinkGuard {
  push(piece: string): string;
  finish(): string;
}

/** Nothing in a text without these can be part of an address, a link, a picture or a tag. */
const suspicious = /[[\](<!:/]|www|[hw]$|htt?$|https?$|ww$/i;

const loading =
  /^(?:a|area|audio|base|embed|form|frame|iframe|image|img|input|link|meta|object|script|source|style|svg|track|video)$/i;

/** In this order: pictures, targets of links, tags, bare addresses. */
const finds = new RegExp(
  [
    String.raw`!\[(?<alt>[^\]\n]*)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\])`,
    String.raw`\]\(\s*<?(?<target>(?:[^()\s<>]|\([^()\s]*\))*)>?(?<rest>[^()\n]*)\)`,
    String.raw`<\/?(?<tag>[a-z][a-z0-9-]*)(?:\s[^<>\n]*)?\/?>`,
    String.raw`(?<bare>\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)[^\s<>"'\`)\]}]+)`,
  ].join('|'),
  'gi',
);

/** The end of a text that may still become one of them, or grow. */
const unfinished = new RegExp(
  [
    '!$',
    String.raw`!\[[^\]\n]{0,500}$`,
    String.raw`!\[[^\]\n]{0,500}\](?:\((?:[^()\n]|\([^()\n]*\)?){0,2000}|\[[^\]\n]{0,200})?$`,
    String.raw`\](?:\((?:[^()\n]|\([^()\n]*\)?){0,2000})?$`,
    String.raw`<\/?(?:[a-z][^<>\n]{0,2000})?$`,
    String.raw`\b(?:h|ht|htt|https?|https?:\/?|w|ww|www)$`,
    String.raw`\b(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>"'\`)\]}]{0,2000}$`,
    String.raw`\b[a-z][a-z0-9+.-]{1,20}:\/?$`,
  ].join('|'),
  'i',
);

export function createLinkGuard(evidence: readonly Evidence[]): LinkGuard {
  let waiting = '';
  let line = '';
  let fenced = false;

  /** A closed list of texts, so that nothing can be put behind an address that stands there. */
  function stands(url: string): boolean {
    const bare = url.replace(/[.,;:!?*_]+$/, '');
    return evidence.some((piece) => {
      if (piece.url.startsWith(bare) || bare === `${piece.url}/`) return true;
      for (let at = piece.text.indexOf(bare); at !== -1; at = piece.text.indexOf(bare, at + 1)) {
        if (!/[\w/?#&=%+-]/.test(piece.text[at + bare.length] ?? ' ')) return true;
      }
      return false;
    });
  }

  function clean(text: string): string {
    const cleaned = text.replace(finds, (found, ...rest) => {
      const { alt, target, tag, bare } = rest.at(-1) as Record<string, string | undefined>;
      const code = inCode(text.slice(0, rest.at(-3) as number));
      if (bare !== undefined) return stands(bare) ? found : '';
      if (code) return found;
      if (alt !== undefined) return alt;
      if (target !== undefined) return target.startsWith('#') || stands(target) ? found : ']';
      return tag !== undefined && loading.test(tag) ? '' : found;
    });
    fenced = fencedAfter(text);
    line = lineAfter(text);
    return cleaned;
  }

  /** Of what was passed, as far as it tells whether the next text is code. */
  const lineAfter = (text: string) => (text.includes('\n') ? '' : line) + text.slice(text.lastIndexOf('\n') + 1);
  const fencedAfter = (text: string) =>
    (line + text)
      .split('\n')
      .slice(0, -1)
      .filter((each) => /^ {0,3}(?:```|~~~)/.test(each)).length %
      2 ===
    1
      ? !fenced
      : fenced;
  const inCode = (text: string) => fencedAfter(text) || (lineAfter(text).split('`').length - 1) % 2 === 1;

  return {
    push(piece) {
      if (waiting === '' && !suspicious.test(piece)) {
        if (piece.includes('\n') || piece.includes('`')) clean(piece);
        return piece;
      }
      waiting += piece;
      const safe = unfinished.exec(waiting)?.index ?? waiting.length;
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
