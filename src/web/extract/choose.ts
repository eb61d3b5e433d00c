/** Which blocks of a page are its content: those near the element where most plain prose is, by density. */
import type { Block } from './blocks.ts';
import type { HtmlElement } from './html-tree.ts';

export interface Choice {
  readonly kept: ReadonlySet<Block>;
  readonly kind: string;
}

export function chooseBlocks(blocks: readonly Block[]): Choice {
  const scores = new Map<HtmlElement, number>();
  for (const block of blocks) {
    const prose = block.text.length - 2 * block.linkChars;
    if (prose < 25 || boilerplate(block.element)) continue;
    let share = Math.min(prose, 1_000);
    for (let at: HtmlElement | undefined = block.element, up = 0; at !== undefined && up < 5; at = at.parent, up += 1) {
      scores.set(at, (scores.get(at) ?? 0) + share);
      share *= 0.75;
    }
  }
  let best: HtmlElement | undefined;
  for (const [element, score] of scores) if (best === undefined || score > scores.get(best)!) best = element;
  const kept = new Set(
    blocks.filter((b) => within(b.element, best) && !boilerplate(b.element) && b.linkChars * 2 <= b.text.length),
  );
  return { kept, kind: 'article' };
}

function within(element: HtmlElement, top: HtmlElement | undefined): boolean {
  for (let at: HtmlElement | undefined = element; at !== undefined; at = at.parent) if (at === top) return true;
  return false;
}

const negative = /\b(nav|menu|footer|sidebar|cookie|consent|share|social|related|comments?|newsletter|breadcrumbs?)\b/i;

function boilerplate(element: HtmlElement): boolean {
  for (let at: HtmlElement | undefined = element; at !== undefined; at = at.parent) {
    if (/^(nav|footer|aside|form|button)$/.test(at.tag)) return true;
    if (
      at.tag !== 'body' &&
      at.tag !== 'html' &&
      negative.test(`${at.attributes.class ?? ''} ${at.attributes.id ?? ''}`)
    )
      return true;
  }
  return false;
}
