import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/web/extract/extract.ts';
import type { Extraction } from '../../../../src/web/extract/extraction.ts';

async function read(rtf: string): Promise<Extraction> {
  return (await extract(Buffer.from(rtf, 'latin1'), { contentType: '', url: 'file:///letter.rtf' }))!;
}
const blocksOf = async (body: string) => (await read(`{\\rtf1\\ansi\\ansicpg1252\\deff0 ${body}}`)).text.split('\n\n');

describe('a document of Rich Text Format', () => {
  it('has paragraphs, with its letters in the code pages of its fonts', async () => {
    const fonts =
      '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Gothic{\\*\\falt x};}}';
    expect(
      await blocksOf(
        `${fonts}\\pard Gr\\'f6\\'dfe:\r\n 40\\~m{\\super 2}\\par {\\f1\\'cf\\'f0\\'e8}\\par {\\f2\\'93\\'fa\\'83A}\\par`,
      ),
    ).toEqual(['Größe: 40 m²', 'При', '日ア']);
  });

  it('has characters of Unicode, without what stands beside them for old programs', async () => {
    expect(
      await blocksOf(
        "It\\u8217's \\u-10179?\\u-8704? {\\uc2\\u8364\\'80x5} {\\uc0\\u8364 5} \\ldblquote so\\rdblquote\\emdash\\{\\}\\\\",
      ),
    ).toEqual(['It’s 😀 €5 €5 “so”—{}\\']);
  });

  it('has the signs of Windows', async () => {
    expect(await blocksOf("\\'8015 \\'96 \\'93cheap\\'94 \\'8cuvre")).toEqual(['€15 – “cheap” Œuvre']);
  });

  it('has headings, items of lists and tables', async () => {
    const table =
      '\\trowd\\cellx1\\cellx2\\pard\\intbl Item\\cell Cost\\cell\\row\\trowd\\pard\\intbl Roof\\par tiles\\cell 9 | 10\\cell\\row';
    expect(
      await blocksOf(
        `\\pard\\outlinelevel1 The roof\\par \\pard\\ls1{\\listtext\\'b7\\tab}Tiles\\par{\\listtext\\'b7}Nails\\par ${table}\\pard Last.`,
      ),
    ).toEqual([
      '## The roof',
      '- Tiles\n- Nails',
      '| Item | Cost |\n| --- | --- |\n| Roof tiles | 9 \\| 10 |',
      'Last.',
    ]);
  });

  it('has no styles, pictures, instructions of fields, hidden or deleted text, and its notes at the end', async () => {
    const body = [
      '{\\stylesheet{\\s1 Heading;}}{\\*\\unknown text {\\b bold}}{\\header Page 1}',
      '{\\pict\\pngblip 89504e47}{\\pict\\bin5 {}\\}{x}',
      'Seen {\\v hidden }{\\deleted gone }{\\field{\\*\\fldinst HYPERLINK "https://a.example"}{\\fldrslt a link}}',
      '{\\super 1{\\footnote\\pard A note.\\par}} here.',
    ];
    expect(await blocksOf(body.join(''))).toEqual(['Seen a link¹ here.', '1. A note.']);
  });

  it('has the title, the author and the day of its properties', async () => {
    expect(
      await read(
        "{\\rtf1{\\info{\\title The h{\\b \\'f6}use}{\\author Ada Byron}{\\creatim\\yr2026\\mo3\\dy4\\hr1}{\\revtim\\yr2027}}It leaks.\\par}",
      ),
    ).toMatchObject({
      text: 'It leaks.',
      title: 'The höuse',
      byline: 'Ada Byron',
      published_at: '2026-03-04',
      extractor: 'rtf',
    });
    expect((await read('{\\rtf1 First line\\par Second}')).title).toBe('First line');
  });

  it('is read as far as it goes, and never nested too deeply', async () => {
    expect((await read('{\\rtf1 cut off {\\b in the mid')).text).toBe('cut off in the mid');
    expect((await read("{\\rtf1 }}}}} more \\'zz \\u \\bin-5 \\u99999999999 x\\")).text).toMatch(/^more/);
    await expect(read(`{\\rtf1 ${'{'.repeat(1_000_000)}`)).rejects.toThrow('nested too deeply');
    const { text, truncated } = await read(`{\\rtf1 ${'A line of text.\\par '.repeat(300_000)}}`);
    expect({ truncated, isWithin: text.length <= 2_000_000 }).toEqual({ truncated: true, isWithin: true });
  });
});
