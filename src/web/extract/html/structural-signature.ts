/** Structural signatures of blocks: those of one template (the posts of a thread, the cells of a listing) have the same one. */
import type { Block } from './blocks.ts';
import type { HtmlElement } from './html-tree.ts';

/**
 * A function that returns a block's signature: the tags and classes of `levelsUp` elements from it upwards, without digits,
 * which merely number the blocks. Each tag and class becomes a number, since a page may repeat a long class thousands of
 * times; so signatures are comparable within one reader only.
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
