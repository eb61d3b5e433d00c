import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/web/extract/extract.ts';
import type { Extraction } from '../../../../src/web/extract/extraction.ts';
import { makeOpenDocument } from '../../../support/documents/make-opendocument.ts';

async function read(bytes: Uint8Array): Promise<Extraction> {
  return (await extract(bytes, { contentType: '', url: 'file:///document' }))!;
}
const blocksOf = async (...parts: Parameters<typeof makeOpenDocument>) =>
  (await read(makeOpenDocument(...parts))).text.split('\n\n');

const p = (text: string) => `<text:p>${text}</text:p>`;
const row = (...cells: readonly string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
const textCell = (text: string, more = '') =>
  `<table:table-cell office:value-type="string"${more}>${p(text)}</table:table-cell>`;
const table = (rows: string, more = '') => `<table:table ${more}>${rows}</table:table>`;

describe('a text of OpenDocument', () => {
  it('keeps raised numbers apart from the digits before them', async () => {
    const position = (name: string, text: string) =>
      `<style:style style:name="${name}"><style:text-properties style:text-position="${text}"/></style:style>`;
    const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`;
    const styles = position('T1', 'super 58%') + position('T2', 'sub 58%');
    expect(await blocksOf('text', p(`10${span('T1', span('T9', '3'))} kg H${span('T2', '2')}O`), { styles })).toEqual([
      '10³ kg H2O',
    ]);
  });

  it('has headings, paragraphs, lists and tables, in the order of the document', async () => {
    const body = [
      '<text:p text:style-name="P1">The house</text:p>',
      '<text:h text:outline-level="2">The <text:span>roof</text:span></text:h>',
      p('It  leaks<text:s text:c="900000000"/>since<text:tab/>1931.<text:line-break/>Badly.'),
      `<text:list><text:list-item>${p('Tiles')}<text:list><text:list-item>${p('Red')}</text:list-item></text:list></text:list-item><text:list-item>${p('Nails')}</text:list-item></text:list>`,
      table(row(textCell('Item'), textCell('Cost')) + row(textCell('Roof'), textCell('900 | net'))),
    ];
    const styles = '<style:style style:name="P1" style:parent-style-name="Title"/>';
    expect(await blocksOf('text', body.join('\n'), { styles })).toEqual([
      '# The house',
      '## The roof',
      'It leaks since 1931.\nBadly.',
      '- Tiles\n  - Red\n- Nails',
      '| Item | Cost |\n| --- | --- |\n| Roof | 900 \\| net |',
    ]);
  });

  it('has neither what was deleted nor remarks, and its notes at the end', async () => {
    const body = [
      `<text:tracked-changes><text:changed-region><text:deletion>${p('Gone.')}</text:deletion></text:changed-region></text:tracked-changes>`,
      p(
        `It holds<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('Until 1931.')}</text:note-body></text:note> well<office:annotation><dc:creator>Ben</dc:creator>${p('Sure?')}</office:annotation>.`,
      ),
      `<text:section text:display="none">${p('Secret.')}<text:section>${p('Secret.')}</text:section></text:section>`,
      p(
        `Beside <draw:frame><draw:text-box>${p('In a box.')}</draw:text-box><svg:desc>A crane</svg:desc></draw:frame>it.`,
      ),
    ];
    expect(await blocksOf('text', body.join(''))).toEqual([
      'It holds well.',
      'In a box.',
      'Beside it.',
      '1. Until 1931.',
    ]);
  });

  it('has the title, the author and the day of its properties', async () => {
    const meta =
      '<office:meta><dc:title>The house</dc:title><meta:initial-creator>Ada Byron</meta:initial-creator><dc:creator>Ben</dc:creator><meta:creation-date>2026-01-02T10:00:00.5</meta:creation-date></office:meta>';
    expect(await read(makeOpenDocument('text', p('It leaks.'), { files: { 'meta.xml': meta } }))).toMatchObject({
      title: 'The house',
      byline: 'Ada Byron',
      published_at: expect.stringMatching(/^2026-01-02T/),
      extractor: 'odt',
    });
    expect((await read(makeOpenDocument('text', `${p('First line')}<text:h>A heading</text:h>`))).title).toBe(
      'A heading',
    );
  });

  it('is recognised by its manifest if it has no entry with its type', async () => {
    const manifest =
      '<manifest:manifest><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text-template"/></manifest:manifest>';
    const files = { mimetype: '', 'META-INF/manifest.xml': manifest };
    await expect(
      extract(makeOpenDocument('text', p('x'), { files }), { contentType: '', url: '' }),
    ).resolves.toBeUndefined();
    const bytes = makeOpenDocument('text', p('x'), { files });
    // The same archive with another name for the empty entry.
    const renamed = Buffer.from(bytes.toString('latin1').replaceAll('mimetype', 'othertyp'), 'latin1');
    expect((await read(renamed)).text).toBe('x');
  });

  it('says that it has a password', async () => {
    const manifest =
      '<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    const bytes = makeOpenDocument('text', p('x'), { files: { 'META-INF/manifest.xml': manifest } });
    await expect(read(bytes)).rejects.toThrow('password');
  });
});

describe('a workbook of OpenDocument', () => {
  const valueCell = (type: string, value: string, shown: string) =>
    `<table:table-cell office:value-type="${type}" office:${type === 'date' || type === 'time' || type === 'boolean' ? `${type}-value` : 'value'}="${value}">${p(shown)}</table:table-cell>`;

  it.each([
    ['date', '2026-03-14', '14.03.26', '2026-03-14'],
    ['date', '2026-03-14T14:30:00', '14.03.26 14:30', '2026-03-14 14:30'],
    ['time', 'PT14H30M00S', '02:30 PM', '14:30'],
    ['time', 'PT36H00M05S', '36:00:05', '36:00:05'],
    ['percentage', '0.125', '12,50 %', '12.50%'],
    ['currency', '1234.5', '1.234,50 €', '1234.50 €'],
    ['currency', '-1234.5', '-$1,234.50', '-$1234.50'],
    ['float', '1234', '1.234', '1234'],
    ['float', '1.234', '1.234', '1.234'],
    ['float', '0.30000000000000004', '0.3', '0.3'],
    ['float', '1067', '01067', '01067'],
    ['float', '12500', '1.25E+04', '1.25E+04'],
    ['boolean', 'true', 'WAHR', 'TRUE'],
    ['string', '', '#REF!', ''],
    ['string', '', 'Err:502', ''],
  ])('shows a %s of %s that is seen as %j as %j', async (type, value, seen, expected) => {
    const body = table(row(valueCell(type, value, seen)), 'table:name="Sheet1"');
    expect(await blocksOf('spreadsheet', body)).toEqual([expected]);
  });

  it('has its visible sheets, rows and columns, and each merged text once', async () => {
    const styles =
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const rows = [
      row(textCell('Item'), textCell('Secret'), textCell('Cost')),
      row(textCell('Old'), textCell('s'), textCell('1')).replace('>', ' table:visibility="collapse">'),
      row(
        textCell('Both'),
        '<table:covered-table-cell><text:p>under</text:p></table:covered-table-cell>',
        textCell('2'),
      ),
      row(
        `<table:table-cell><office:annotation>${p('remark')}</office:annotation>${p('New')}${p('roof')}</table:table-cell>`,
        textCell('s'),
        textCell('3'),
      ),
    ];
    const columns =
      '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column table:number-columns-repeated="16382"/>';
    const body = `${table(columns + rows.join(''), 'table:name="Seen"')}${table(row(textCell('secret')), 'table:name="Unseen" table:style-name="ta2"')}`;
    expect(await blocksOf('spreadsheet', body, { styles })).toEqual([
      '## Seen',
      '| Item | Cost |\n| --- | --- |\n| Both | 2 |\n| New roof | 3 |',
    ]);
  });

  it('ends where a million rows and columns are repeated', async () => {
    const empty =
      '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
    const filled = row(textCell('a'), textCell('b'));
    expect(await blocksOf('spreadsheet', table(`${filled}${empty}${filled}`))).toEqual(
      Array(2).fill('| a | b |\n| --- | --- |'),
    );
    const bomb = `<table:table-row table:number-rows-repeated="1048576">${textCell('x'.repeat(500), ' table:number-columns-repeated="16384"')}</table:table-row>`;
    const wide = row(textCell('x', ' table:number-columns-repeated="9999999"').repeat(10_000));
    expect((await read(makeOpenDocument('spreadsheet', table(wide)))).text.length).toBeLessThan(10_000);
    const { text, truncated } = await read(makeOpenDocument('spreadsheet', table(bomb.repeat(50))));
    expect({ truncated, isWithin: text.length <= 2_000_000 }).toEqual({ truncated: true, isWithin: true });
  });
});

describe('merged cells of OpenDocument', () => {
  const covered = '<table:covered-table-cell/>';
  const rooms = [
    row(textCell('Room'), textCell('Area')),
    row(textCell('Kitchen', ' table:number-rows-spanned="2"'), textCell('12')),
    row(covered, textCell('14')),
    row(textCell('Hall'), textCell('9')),
  ].join('');

  it.each(['text', 'spreadsheet'] as const)('have their text in each row that they span: %s', async (kind) => {
    expect(await blocksOf(kind, table(rooms, 'table:name="Sheet1"'))).toEqual([
      '| Room | Area |\n| --- | --- |\n| Kitchen | 12 |\n| Kitchen | 14 |\n| Hall | 9 |',
    ]);
  });

  it('name the columns of a sheet below them', async () => {
    const body = [
      row(textCell('Room'), textCell('Summer', ' table:number-columns-spanned="2"'), covered),
      row('<table:table-cell/>', textCell('Single'), textCell('Double')),
      row(textCell('Lake'), textCell('80'), textCell('120')),
    ];
    expect(await blocksOf('spreadsheet', table(body.join(''), 'table:name="Sheet1"'))).toEqual([
      '| Room | Summer: Single | Summer: Double |\n| --- | --- | --- |\n| Lake | 80 | 120 |',
    ]);
  });
});

describe('a presentation of OpenDocument', () => {
  it('has its visible slides with titles, lists, tables and notes', async () => {
    const styles =
      '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
    const frame = (kind: string, content: string) =>
      `<draw:frame presentation:class="${kind}"><draw:text-box>${content}</draw:text-box></draw:frame>`;
    const list = `<text:list><text:list-item>${p('Tiles')}<text:list><text:list-item>${p('Red')}</text:list-item></text:list></text:list-item></text:list>`;
    const body = [
      `<draw:page draw:name="a">${frame('title', p('The new <text:span>roof</text:span>'))}${frame('outline', list)}${frame('page-number', p('1'))}<presentation:notes><draw:page-thumbnail/>${frame('notes', p('Welcome.') + p('All of you.'))}</presentation:notes></draw:page>`,
      `<draw:page draw:style-name="dp2">${frame('title', p('Secret'))}</draw:page>`,
      `<draw:page><draw:frame>${table(row(textCell('Item'), textCell('Cost')) + row(textCell('Roof'), textCell('9')))}</draw:frame><draw:custom-shape>${p('In a shape')}</draw:custom-shape></draw:page>`,
      '<draw:page/>',
    ];
    const { text, title, extractor } = await read(makeOpenDocument('presentation', body.join(''), { styles }));
    expect(text.split('\n\n')).toEqual([
      '## The new roof',
      '- Tiles\n  - Red',
      'Notes: Welcome. All of you.',
      '## Slide 3',
      '| Item | Cost |\n| --- | --- |\n| Roof | 9 |',
      'In a shape',
    ]);
    expect({ title, extractor }).toEqual({ title: 'The new roof', extractor: 'odp' });
  });
});
