/** What every extractor gives, whatever the page was: the shape that crosses from the worker threads. */

export interface Extraction {
  /** Markdown, LF line ends, well-formed Unicode, nothing invisible. */
  readonly text: string;
  readonly title: string;
  readonly byline?: string;
  readonly site_name?: string;
  /** ISO 8601. */
  readonly published_at?: string;
  readonly modified_at?: string;
  /** BCP 47. */
  readonly language?: string;
  /** What the page says its address is; not yet believed. */
  readonly canonical_url?: string;
  readonly words: number;
  readonly links: readonly PageLink[];
  /** `html`, `metadata` (a page drawn by scripts), `markdown`, `text`, `json`, `feed` or `pdf`. */
  readonly extractor: string;
  /** Whether a bound of size cut the page off. */
  readonly truncated: boolean;
  readonly warnings: readonly string[];
}

/** A link in the kept text, absolute. */
export interface PageLink {
  readonly url: string;
  readonly text: string;
}

export interface PageSource {
  /** As the server sent it; may be empty. */
  readonly contentType: string;
  /** Where the bytes came from: links are resolved against it. */
  readonly url: string;
}

export const maxTextChars = 2_000_000;
export const maxLinks = 1_000;

/** Words as the script writes them; where it sets no spaces, a word is about two characters. */
export function countWords(text: string): number {
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return (text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0) + Math.floor(unspaced / 2);
}
