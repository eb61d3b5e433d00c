/** Words that only a style sheet keeps apart, and parts of one word that markup cuts: spaces come between the first only. */
import { describe, expect, it } from 'vitest';
import { rawText } from '../../../src/web/extract/html/blocks.ts';
import { parseHtml } from '../../../src/web/extract/html/html-tree.ts';
import { separateWords } from '../../../src/web/extract/html/separate-words.ts';

function textOf(html: string): string {
  const { root } = parseHtml(html);
  separateWords(root);
  return rawText(root);
}

describe('separateWords', () => {
  it.each([
    ['two links', '<a href="/tea">Tea</a><a href="/milk">Milk</a>', 'Tea Milk'],
    ['the links of a row of pages', '<a href="?1">1</a><a href="?2">2</a><a href="?3">3</a>', '1 2 3'],
    ['a name and its type', '<span>amount</span><span>integer</span>', 'amount integer'],
    ['words however deep', '<span><b>old</b></span><a href="/"><span>new</span></a>', 'old new'],
    ['words of other scripts with spaces', '<span>старый</span><span>новый</span>', 'старый новый'],
  ])('inserts a space between %s', (_, html, text) => {
    expect(textOf(`<p>${html}</p>`)).toBe(text);
  });

  it.each([
    ['a drop cap and its word', '<span>O</span><span>nce</span>', 'Once'],
    ['an ordinal', '<span>3</span><span>rd</span>', '3rd'],
    ['an emphasis and the rest of its word', '<b>re</b><span>read</span>', 'reread'],
    ['the tokens of code', '<code><span>let</span><span>ters</span></code>', 'letters'],
    ['a word and its comma', '<a href="/">Tea</a><span>, please</span>', 'Tea, please'],
    ['words that are already separated by a space', '<span>one</span> <span>two</span>', 'one two'],
    ['characters of scripts without spaces', '<span>東京</span><span>都庁</span>', '東京都庁'],
  ])('inserts no space between %s', (_, html, text) => {
    expect(textOf(`<p>${html}</p>`)).toBe(text);
  });
});
