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
    ['a name and one digit', '<span>Doors</span><span>3</span>', 'Doors 3'],
    ['a short name and one digit', '<b>Age</b><span>7</span>', 'Age 7'],
    ['a name and a value that begins with one digit', '<span>Warranty</span><span>2 years</span>', 'Warranty 2 years'],
    ['an emphasised name and a number', '<strong>Rating</strong><span>4.5</span>', 'Rating 4.5'],
    ['a name that ends with a short word and a number', '<b>Check-in</b><span>15:00</span>', 'Check-in 15:00'],
    ['a name with a colon and its value', '<b>Colour:</b><span>red</span>', 'Colour: red'],
    ['one digit and what it counts', '<span>3</span><span>Eier</span>', '3 Eier'],
    ['a fraction and its unit', '<span>½</span><span>TL</span>', '½ TL'],
    ['words of other scripts with spaces', '<span>старый</span><span>новый</span>', 'старый новый'],
  ])('inserts a space between %s', (_, html, text) => {
    expect(textOf(`<p>${html}</p>`)).toBe(text);
  });

  it.each([
    ['a drop cap and its word', '<span>O</span><span>nce</span>', 'Once'],
    ['an ordinal', '<span>3</span><span>rd</span>', '3rd'],
    ['an ordinal in French', '<span>2</span><span>ième</span>', '2ième'],
    ['a formula', '<span>CO</span><span>2</span>', 'CO2'],
    ['a name of letters and a digit', '<b>MP</b><span>3</span>', 'MP3'],
    ['a time', '<span>10:</span><span>30</span>', '10:30'],
    ['the tokens of code with a number', '<code><span>port</span><span>8</span></code>', 'port8'],
    ['characters and a digit', '<span>東京</span><span>3</span>', '東京3'],
    ['an emphasis and the rest of its word', '<b>re</b><span>read</span>', 'reread'],
    ['the tokens of code', '<code><span>let</span><span>ters</span></code>', 'letters'],
    ['a word and its comma', '<a href="/">Tea</a><span>, please</span>', 'Tea, please'],
    ['words that are already separated by a space', '<span>one</span> <span>two</span>', 'one two'],
    ['characters of scripts without spaces', '<span>東京</span><span>都庁</span>', '東京都庁'],
  ])('inserts no space between %s', (_, html, text) => {
    expect(textOf(`<p>${html}</p>`)).toBe(text);
  });

  it('inserts them between all elements of one, however many', () => {
    expect(textOf('<b>Doors</b><i>3</i>'.repeat(60_000))).toBe('Doors 3'.repeat(60_000));
  });
});
