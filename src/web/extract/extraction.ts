/** The result of every extractor; child processes send it. */

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
  /** The canonical URL that the page declares; not yet checked. */
  readonly canonical_url?: string;
  /** Where a page without text of its own redirects by itself: an absolute URL. */
  readonly refresh?: string;
  readonly words: number;
  readonly links: readonly PageLink[];
  /** Addresses that the rest of a page links to, its menus above all; absolute, and none that `links` has. */
  readonly other_links?: readonly string[];
  /**
   * `html`, `metadata` (a page rendered by scripts), `markdown`, `text`, `json`, `feed`, `pdf`, `docx`, `epub`, `csv`, `xlsx`,
   * `pptx`, `odt`, `ods`, `odp`, `mail` or `rtf`.
   */
  readonly extractor: string;
  /** Whether a size limit truncated the page. */
  readonly truncated: boolean;
  readonly warnings: readonly string[];
}

/** A link in the kept text, absolute. */
export interface PageLink {
  readonly url: string;
  readonly text: string;
}

export interface PageSource {
  /** The Content-Type as the server sent it; may be empty. */
  readonly contentType: string;
  /** The URL that the bytes came from: links are resolved against it. */
  readonly url: string;
}

/** Limits of a page's text and links; set by hand. */
export const maxTextChars = 2_000_000;
export const maxLinks = 1_000;
export const maxOtherLinks = 300;

/** The number of words; in scripts without spaces, two characters count as a word. */
export function countWords(text: string): number {
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return (text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0) + Math.floor(unspaced / 2);
}
