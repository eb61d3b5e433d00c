/** Structural signatures of blocks: blocks from one template (posts of a thread, cells of a listing) share a signature. */
import type { Block } from './blocks.ts';
import type { HtmlElement } from './html-tree.ts';

/**
 * A function that returns a block's signature: the tags and classes of `levelsUp` elements from it upwards, without digits,
 * which only number the blocks. Each tag and class becomes a number, because a page may repeat a long class thousands of
 * times; so signatures can only be compared within one reader.
 */
export function createSignatureReader(): (block: Block, levelsUp: number) => string {
  const numbers = new Map<string, number>();
  const known = new Map<HtmlElement, number>();
  const numberOf = (element: HtmlElement): number => {
    let number = known.get(element);
    if (number !== undefined) return number;
    const name = `${element.name}.${(element.attribs.class ?? '').replace(/\d+/g, '')}`;
    number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    known.set(element, number);
    return number;
  };
  return ({ kind, element }, levelsUp) => {
    let key: string = kind;
    let at: HtmlElement | undefined = element;
    for (let up = 0; up < levelsUp && at !== undefined; up += 1, at = at.parent) key += `<${numberOf(at)}`;
    return key;
  };
}
