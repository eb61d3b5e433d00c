/** Facts about the elements around blocks: names and tags, inherited ones included, amounts of text, and repetition. */
import type { Block } from '../html/blocks.ts';
import { type HtmlElement, isHidden } from '../html/html-tree.ts';
import { nameHintNames, nameHintReader, tagHintAt, tagHintNames } from './hints.ts';
import type { TextFacts } from './text-facts.ts';

export interface ElementFacts {
  /** For each hint, the depth of the nearest ancestor-or-self that matches it, or -1. */
  readonly names: readonly number[];
  readonly tags: readonly number[];
  readonly hidden: boolean;
  /** 1 content (articleBody, text, description), 2 review, 3 price, name and the like, 0 none. */
  readonly itemProp: number;
  chars: number;
  linkChars: number;
  longChars: number;
  legalChars: number;
  blocks: number;
  /** Siblings with the same tag and class. */
  repeats: number;
}

/** Number of ancestors of a block with features of their own; part of the model. */
export const levels = 6;

const nearNames = nameHintNames.map(() => -1);
const nearTags = tagHintNames.map(() => -1);

/** Facts of the elements that contain the blocks, computed once for all blocks. */
export function describeElements(blocks: readonly Block[], texts: readonly TextFacts[]) {
  const facts = new Map<HtmlElement, ElementFacts>();
  const scores = new Map<HtmlElement, number>();
  const readNames = nameHintReader();
  const children = new Map<HtmlElement, HtmlElement[]>();

  function siblingsOf({ parent }: HtmlElement): HtmlElement[] {
    if (parent === undefined) return [];
    let found = children.get(parent);
    if (found === undefined) {
      found = parent.children.slice(0, 500).filter((child): child is HtmlElement => typeof child !== 'string');
      children.set(parent, found);
    }
    return found;
  }

  function of(element: HtmlElement): ElementFacts {
    const known = facts.get(element);
    if (known !== undefined) return known;
    const parent = element.parent === undefined ? undefined : of(element.parent);
    const made = inherit(element, parent, readNames);
    facts.set(element, made);
    return made;
  }

  for (const [at, block] of blocks.entries()) {
    let share = texts[at]!.isLong ? Math.min(texts[at]!.prose, 1_000) * (1 - block.linkChars / block.chars) : 0;
    let up = 0;
    of(block.element);
    for (
      let element: HtmlElement | undefined = block.element;
      element !== undefined;
      element = element.parent, up += 1
    ) {
      const sum = facts.get(element)!;
      sum.chars += block.chars;
      sum.linkChars += block.linkChars;
      sum.blocks += 1;
      if (texts[at]!.isLong) sum.longChars += block.chars;
      if (texts[at]!.isLegal) sum.legalChars += block.chars;
      if (up > 0 && up < 6 && share > 0) {
        scores.set(element, (scores.get(element) ?? 0) + share);
        share *= 0.7;
      }
    }
  }
  countRepeats(facts);

  let top: HtmlElement | undefined;
  let topScore = 0;
  for (const [element, score] of scores) {
    const sum = facts.get(element)!;
    const dense = score * (1 - sum.linkChars / sum.chars);
    if (dense > topScore) [top, topScore] = [element, dense];
  }

  return {
    of,
    top,
    topScore: topScore || 1,
    score: (element: HtmlElement) => scores.get(element) ?? 0,
    /** The facts of a block's ancestors from its element upwards, skipping those with the same blocks as the one below. */
    up(element: HtmlElement): ElementFacts[] {
      const found: ElementFacts[] = [];
      for (let at: HtmlElement | undefined = element; at !== undefined && found.length < levels; at = at.parent) {
        const sum = facts.get(at)!;
        const last = found.at(-1);
        if (last === undefined || sum.blocks > last.blocks) found.push(sum);
        else last.repeats = Math.max(last.repeats, sum.repeats);
      }
      return found;
    },
    encloses(outer: HtmlElement, element: HtmlElement): boolean {
      for (let at: HtmlElement | undefined = element; at !== undefined; at = at.parent) if (at === outer) return true;
      return false;
    },
    /** Its position among its siblings, 0 to 1, and the logarithm of their number. */
    siblings(element: HtmlElement): [number, number] {
      const all = siblingsOf(element);
      return all.length === 0 ? [0, 0] : [all.indexOf(element) / all.length, Math.log1p(all.length)];
    },
  };
}

function inherit(
  element: HtmlElement,
  parent: ElementFacts | undefined,
  readNames: (e: HtmlElement) => number,
): ElementFacts {
  const { depth, attribs: attributes } = element;
  let names = parent?.names ?? nearNames;
  // Classes of the outermost elements are settings of the whole page, not names.
  const bits = element.name === 'body' || element.name === 'html' ? 0 : readNames(element);
  if (bits !== 0) names = names.map((near, at) => (bits & (1 << at) ? depth : near));
  let tags = parent?.tags ?? nearTags;
  const tag = tagHintAt(element);
  if (tag >= 0) tags = tags.map((near, at) => (at === tag ? depth : near));
  return {
    names,
    tags,
    hidden: (parent?.hidden ?? false) || isHidden(element) || attributes['aria-hidden'] === 'true',
    itemProp: itemPropOf(attributes.itemprop) || (parent?.itemProp ?? 0),
    chars: 0,
    linkChars: 0,
    longChars: 0,
    legalChars: 0,
    blocks: 0,
    repeats: 0,
  };
}

function itemPropOf(name: string | undefined): number {
  if (name === undefined) return 0;
  if (/articlebody|^text$|description/i.test(name)) return 1;
  return /review/i.test(name) ? 2 : 3;
}

function countRepeats(facts: Map<HtmlElement, ElementFacts>): void {
  const groups = new Map<HtmlElement, Map<string, ElementFacts[]>>();
  for (const [element, sum] of facts) {
    if (element.parent === undefined) continue;
    const kinds = groups.get(element.parent) ?? new Map<string, ElementFacts[]>();
    groups.set(element.parent, kinds);
    const kind = `${element.name}.${element.attribs.class ?? ''}`;
    const same = kinds.get(kind);
    if (same === undefined) kinds.set(kind, [sum]);
    else same.push(sum);
  }
  for (const kinds of groups.values())
    for (const same of kinds.values()) for (const sum of same) sum.repeats = same.length;
}
