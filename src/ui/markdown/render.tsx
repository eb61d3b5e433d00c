/**
 * Renders Markdown as elements. The text may come from anyone, so it never becomes HTML: tags are shown as text or hidden, links
 * lead to http or https addresses only, and images are replaced by their alternative text.
 * Elements are created in document order, because a slot can start wrapping text and a later one end it.
 */
import type { MarkedToken, Token, Tokens } from 'marked';
import { type ComponentChildren, Fragment, h } from 'preact';
import { t } from '../language/text.ts';
import { CodeBlock, type CodePart } from './code-block.tsx';
import { decodeEntities } from './entities.ts';
import { readSlots, type Slot, withoutSlots, writeSlots } from './slots.ts';
import { tokensOf } from './tokens.ts';

/** The content of a slot: an element, or a wrapper for the text from here on; `undefined` ends the wrapping. */
export type Filling =
  | { readonly show: ComponentChildren }
  | { readonly wrap: ((text: string) => ComponentChildren) | undefined };
export type FilledSlot = Slot & Filling;

export interface RenderOptions {
  /** In document order; offsets count from the beginning of the text. */
  readonly slots?: readonly FilledSlot[];
  /** Level of the highest heading; default 3. */
  readonly headings?: number;
  /** Whether links can be followed; default true. */
  readonly links?: boolean;
  /** Whether blocks of code have colours, their language and a button that copies them; default false. */
  readonly codeTools?: boolean;
  /** Whether tags are hidden that only lay out a page, as in READMEs; default false: they are shown as text. */
  readonly hideLayout?: boolean;
}

export interface Rendered {
  readonly nodes: ComponentChildren;
  /** Whether every slot was rendered, and every wrapper ended. */
  readonly isWhole: boolean;
}

export function renderMarkdown(
  text: string,
  { slots = [], headings = 3, links = true, codeTools = false, hideLayout = false }: RenderOptions = {},
): Rendered {
  const found = new Set<number>();
  let wrap: Extract<Filling, { wrap: unknown }>['wrap'];
  let wrapped = false;

  function words(text: string): ComponentChildren[] {
    return readSlots(text).map((part, place) => {
      if (place % 2 === 0) return part !== '' && wrap !== undefined ? wrap(decodeEntities(part)) : decodeEntities(part);
      return fill(Number(part));
    });
  }

  function fill(index: number): ComponentChildren {
    const slot = slots[index];
    if (slot === undefined) return null;
    found.add(index);
    if ('show' in slot) return slot.show;
    wrap = slot.wrap;
    wrapped ||= wrap !== undefined;
    return null;
  }

  /** Slots in hidden text, such as the URL of a link, are rendered in its place. */
  function unseen(text: string): ComponentChildren {
    const parts = readSlots(text);
    return parts.length === 1 ? null : parts.filter((_, place) => place % 2 === 1).map((part) => fill(Number(part)));
  }

  /** Text with tags in it. An image that is hidden leaves its alternative text. */
  function tagged(text: string): ComponentChildren {
    if (!hideLayout) return words(text);
    return text.split(layoutTag).map((part, place) => {
      if (place % 2 === 0) return words(part);
      const [before = '', alt, ...after] = part.split(alternative);
      return alt === undefined ? unseen(part) : [unseen(before), words(alt), unseen(after.join(' '))];
    });
  }

  function code(text: string): ComponentChildren[] {
    return readSlots(text).map((part, place) => {
      if (place % 2 === 1) return fill(Number(part));
      return part !== '' && wrap !== undefined ? wrap(part) : part;
    });
  }

  function codeParts(text: string): CodePart[] {
    return readSlots(text).map((part, place) =>
      place % 2 === 1 ? { node: fill(Number(part)) } : { text: part, wrap: part === '' ? undefined : wrap },
    );
  }

  function inline(tokens: readonly Token[] | undefined): ComponentChildren {
    return tokens?.map((token) => inlineToken(token as MarkedToken)) ?? null;
  }

  function inlineToken(token: MarkedToken): ComponentChildren {
    switch (token.type) {
      case 'strong':
        return h('strong', null, inline(token.tokens));
      case 'em':
        return h('em', null, inline(token.tokens));
      case 'del':
        return h('del', null, inline(token.tokens));
      case 'codespan':
        return h('code', null, code(token.text));
      case 'br':
        return h('br', null);
      case 'link':
        return link(token);
      case 'image':
        return [words(token.text), unseen(token.href)];
      case 'html':
        return /^<br\s*\/?>$/i.test(token.raw)
          ? h('br', null)
          : isComment(token.raw)
            ? unseen(token.raw)
            : tagged(token.raw);
      case 'text':
        return token.tokens === undefined ? words(token.text) : inline(token.tokens);
      default:
        return words('text' in token ? String(token.text) : token.raw);
    }
  }

  function link({ href, tokens, title }: Tokens.Link): ComponentChildren {
    const shown = inline(tokens);
    const hidden = [unseen(href), unseen(title ?? '')];
    const safe = webAddress(withoutSlots(href));
    if (safe === undefined || !links) return [shown, hidden];
    return [h('a', { href: safe, target: '_blank', rel: 'noopener noreferrer nofollow' }, shown), hidden];
  }

  function block(token: MarkedToken): ComponentChildren {
    switch (token.type) {
      case 'paragraph':
        return h('p', null, inline(token.tokens));
      case 'heading':
        return h(`h${Math.min(6, headings - 1 + token.depth)}`, null, inline(token.tokens));
      case 'code':
        return codeTools
          ? [unseen(token.lang ?? ''), h(CodeBlock, { parts: codeParts(token.text), language: languageOf(token) })]
          : h('pre', { tabIndex: 0 }, unseen(token.lang ?? ''), h('code', null, code(token.text)));
      case 'blockquote':
        return h('blockquote', null, blocks(token.tokens));
      case 'list':
        return list(token);
      case 'table':
        return table(token);
      case 'hr':
        return h('hr', null);
      case 'text':
        return token.tokens === undefined ? words(token.text) : inline(token.tokens);
      case 'html':
        return isComment(token.raw) ? unseen(token.raw) : h('p', null, tagged(token.raw.trim()));
      case 'space':
      case 'def':
        return unseen(token.raw);
      default:
        return inlineToken(token);
    }
  }

  function blocks(tokens: readonly Token[]): ComponentChildren {
    return tokens.map((token) => block(token as MarkedToken));
  }

  function list({ ordered, start, items }: Tokens.List): ComponentChildren {
    const attributes = ordered && start !== '' && start !== 1 ? { start } : null;
    const drawn = items.map(({ tokens, task, checked }) => {
      const box = task
        ? h(
            'span',
            { role: 'img', 'aria-label': checked ? t.markdown.done : t.markdown.notDone },
            checked ? '☑ ' : '☐ ',
          )
        : null;
      return h('li', null, box, blocks(tokens.filter(({ type }) => type !== 'checkbox')));
    });
    return h(ordered ? 'ol' : 'ul', attributes, drawn);
  }

  function table({ header, rows }: Tokens.Table): ComponentChildren {
    const row = (cells: readonly Tokens.TableCell[], cell: string) =>
      h(
        'tr',
        null,
        cells.map(({ tokens, align }) => h(cell, align === null ? null : { 'data-align': align }, inline(tokens))),
      );
    const head = h('thead', null, row(header, 'th'));
    const body = h(
      'tbody',
      null,
      rows.map((cells) => row(cells, 'td')),
    );
    // A wide table scrolls on its own, by keyboard too. A group, since the names of landmarks must be unique.
    const attributes = { class: 'table', tabIndex: 0, role: 'group', 'aria-label': t.structured.table };
    return h('div', attributes, h('table', null, head, body));
  }

  const marked = writeSlots(text, slots);
  const tokens = tokensOf(marked);
  const nodes = h(Fragment, null, tokens === undefined ? h('p', null, words(marked)) : blocks(tokens));
  return { nodes, isWhole: found.size === slots.length && (!wrapped || wrap === undefined) };
}

/** Up to the first space, as fences are written. */
function languageOf({ lang = '' }: Tokens.Code): string {
  return withoutSlots(lang).trim().split(/\s/)[0]!.slice(0, 30);
}

/** A tag of an element that Markdown files are laid out with, or a comment. Bounded, so that hostile text takes no longer. */
const layoutTag =
  /(<\/?(?:a|b|br|center|code|dd|details|div|dl|dt|em|font|h[1-6]|hr|i|img|kbd|li|ol|p|picture|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul|video)(?=[\s/>])[^>]{0,1000}>|<!--[\s\S]{0,1000}?-->)/gi;
/** What an image says, within its tag. */
const alternative = /(?<=^<img\b[^>]*)\balt="([^"]+)"/i;

function isComment(raw: string): boolean {
  return raw.trimStart().startsWith('<!--');
}

/** The normalised URL; undefined unless it is http or https, so not for `javascript:`, `data:` or `file:`. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
