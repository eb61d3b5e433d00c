/** Files that LibreOffice 7 or newer has written, some without their pictures and masters: test/web/documents. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/web/extract/extract.ts';

async function read(name: string) {
  const bytes = readFileSync(new URL(`../../documents/${name}`, import.meta.url));
  return (await extract(bytes, { contentType: '', url: `file:///${name}` }))!;
}

const table = '| Item | Cost |\n| --- | --- |\n| Roof | 900 |';

describe('files of LibreOffice', () => {
  it.each(['book.xlsx', 'book.ods'])('shows the workbook %s as a person sees it', async (name) => {
    const { text, title, byline, published_at } = await read(name);
    expect({ title, byline, published_at }).toEqual({
      title: 'Household 2026',
      byline: 'Ada Byron',
      published_at: '2026-01-02T10:00:00.000Z',
    });
    expect(text.split('\n\n')).toEqual([
      '## Costs',
      'Costs of the house',
      '| Item | Due | Time | Cost | Share |\n| --- | --- | --- | --- | --- |\n| Roof \\| tiles | 2026-03-14 | 14:30 | 1234.50 € | 12.5% |\n| Sum |  |  | 0.3 | TRUE |',
      '| Name | Role |\n| --- | --- |\n| Ada | Builder |',
      '## People',
      'Checked by Ben.',
    ]);
  });

  it.each([
    ['letter.odt', '# The house'],
    ['letter.rtf', 'The house'],
  ])('reads the letter %s with its table and its note, without remarks', async (name, first) => {
    const { text, title, byline } = await read(name);
    expect({ title, byline }).toEqual({ title: 'The house', byline: 'Ada Byron' });
    expect(text.split('\n\n')).toEqual([
      first,
      '# The roof',
      'It was built by Ada in 1931. Größe: 40 m².',
      name.endsWith('odt') ? '- Tiles\n  - Red ones\n- Nails' : '- Tiles\n- Red ones\n- Nails',
      table,
      'Last line.',
      '1. Or in 1932.',
    ]);
  });

  it.each(['slides.odp', 'slides.pptx'])('reads the visible slides of %s, with what the speaker says', async (name) => {
    const { text, title } = await read(name);
    expect(title).toBe('The new roof');
    expect(text.split('\n\n')).toEqual([
      '## The new roof',
      '- Tiles\n  - Red ones\n- Nails',
      'Notes: Welcome everybody.',
      '## Slide 3',
      'In a box',
      table,
    ]);
  });
});
