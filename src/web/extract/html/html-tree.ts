/**
 * HTML as a tree of plain objects, built from htmlparser2's events so that limits apply during parsing: elements deeper
 * than `maxDepth` become children of the deepest one allowed, and parsing stops, with `truncated`, at `maxNodes` or when
 * more elements are open than can be closed quickly. Elements that no extractor reads (scripts, styles, SVG) are
 * dropped, except JSON-LD. Elements have the field names of domhandler, so cheerio selectors work on them.
 */
import { type Cheerio, load } from 'cheerio/slim';
import { Parser } from 'htmlparser2';

export interface HtmlElement {
  readonly type: 'root' | 'tag';
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
  readonly children: HtmlNode[];
  readonly parent: HtmlElement | undefined;
  readonly depth: number;
}

/** A string is text, entities already decoded. */
export type HtmlNode = HtmlElement | string;

export interface HtmlTree {
  readonly root: HtmlElement;
  /** The text of every `script type="application/ld+json"`. */
  readonly jsonLd: readonly string[];
  readonly truncated: boolean;
}

/** Limits on memory and time; set by hand. */
const maxDepth = 250;
const maxOpenElements = 1_000;
const maxNodes = 250_000;
const maxAttributes = 40;
const maxChars = 8_000;

const dropped = new Set(['script', 'style', 'svg', 'template', 'iframe', 'object', 'canvas', 'audio', 'video', 'map']);

/** XHTML, in which any empty element may close itself, as in the chapters of books: `<iframe/>` hides nothing after it. */
const xhtml = /^\s*(?:<\?xml\b|(?:<!doctype[^>]{0,200}>\s*)?<html\b[^>]{0,500}\sxmlns:epub=)/i;

/** Parses HTML, or with `xml` XML: no implied end tags, CDATA is text, and nothing is dropped. Never throws. */
export function parseHtml(html: string, xml = false): HtmlTree {
  const root: HtmlElement = { type: 'root', name: '#root', attribs: {}, children: [], parent: undefined, depth: 0 };
  const jsonLd: string[] = [];
  let open = root;
  let nodes = 0;
  let depth = 0;
  /** How many dropped elements are open; their text is ignored, or collected in `script`. */
  let skipping = 0;
  let script: string[] | undefined;
  let truncated = false;

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1;
        nodes += 1;
        if (depth > maxOpenElements || nodes > maxNodes) throw new LimitReached();
        if (!xml && dropped.has(tag)) {
          skipping += 1;
          if (tag === 'script' && /ld\+json/i.test(attributes.type ?? '')) script = [];
        }
        if (skipping > 0 || depth > maxDepth) return;
        const element: HtmlElement = {
          type: 'tag',
          name: tag,
          attribs: trimmed(attributes),
          children: [],
          parent: open,
          depth,
        };
        open.children.push(element);
        open = element;
      },
      ontext(text) {
        if (script !== undefined) script.push(text);
        if (skipping > 0) return;
        const last = open.children.length - 1;
        const before = open.children[last];
        if (typeof before === 'string' && before.length < maxChars) open.children[last] = before + text;
        else {
          nodes += 1;
          open.children.push(text);
        }
      },
      onclosetag(tag) {
        const flat = skipping > 0 || depth > maxDepth;
        depth -= 1;
        if (!xml && dropped.has(tag)) {
          skipping -= 1;
          if (script !== undefined) jsonLd.push(script.join(''));
          script = undefined;
        }
        if (!flat && open.parent !== undefined) open = open.parent;
      },
    },
    { decodeEntities: true, lowerCaseTags: true, xmlMode: xml, recognizeSelfClosing: xml || xhtml.test(html) },
  );
  try {
    // In slices, so that parsing stops at most one slice late.
    for (let at = 0; at < html.length; at += 65_536) parser.write(html.slice(at, at + 65_536));
    parser.end();
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    truncated = true;
  }
  return { root, jsonLd, truncated };
}

type CheerioNode = Exclude<Parameters<typeof load>[0], string | Buffer | readonly unknown[]>;

/**
 * A cheerio selection of elements of a tree, of its root by default. Text nodes are plain strings, which cheerio
 * ignores: instead of `.text()` use `rawText` or `innerText` on what `elementsOf` returns.
 */
export function select({ root }: HtmlTree, elements: readonly HtmlElement[] = [root]): Cheerio<CheerioNode> {
  const $ = load(root as unknown as CheerioNode);
  return $(elements as unknown as CheerioNode[]);
}

/** The elements of a selection, in document order. */
export function elementsOf(selection: { toArray(): unknown[] }): HtmlElement[] {
  return selection.toArray() as HtmlElement[];
}

/** Gives an element other children, in place. */
export function replaceChildren({ children }: HtmlElement, others: readonly HtmlNode[]): void {
  children.length = 0;
  for (const child of others) children.push(child);
}

/** Whether the element's attributes hide it in a browser; scripts may show it later. */
export function isHidden({ attribs }: HtmlElement): boolean {
  return (
    attribs.hidden !== undefined ||
    /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])/i.test(attribs.style ?? '')
  );
}

/** The author's names of an element: its classes, its id, and its tag if it is a custom element. */
export function nameOf({ name, attribs }: HtmlElement): string {
  return `${name.includes('-') ? name : ''} ${attribs.class ?? ''} ${attribs.id ?? ''}`.slice(0, 400);
}

class LimitReached extends Error {}

function trimmed(attributes: Record<string, string>): Record<string, string> {
  const names = Object.keys(attributes);
  if (names.length === 0) return attributes;
  const kept: Record<string, string> = {};
  for (const name of names.slice(0, maxAttributes)) kept[name] = attributes[name]!.slice(0, maxChars);
  return kept;
}
