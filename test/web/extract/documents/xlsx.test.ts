import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/web/extract/extract.ts';
import type { Extraction } from '../../../../src/web/extract/extraction.ts';
import { makeXlsx, type TestWorkbook, textRow } from '../../../support/documents/make-xlsx.ts';
import { makeZip } from '../../../support/documents/make-zip.ts';

async function read(bytes: Uint8Array): Promise<Extraction> {
  return (await extract(bytes, { contentType: '', url: 'file:///book.xlsx' }))!;
}

/** What is read of a workbook with one sheet that has no name of its own. */
async function readRows(rows: string, more: Omit<TestWorkbook, 'sheets'> & { readonly before?: string } = {}) {
  const { before = '', ...others } = more;
  return read(makeXlsx({ sheets: [{ name: 'Sheet1', rows, before }], ...others }));
}

/** How a number is shown in a format. */
async function shown(value: number | string, format: number | string, properties = ''): Promise<string> {
  const rows = `<row r="1"><c r="A1" s="1"><v>${value}</v></c></row>`;
  return (await readRows(rows, { formats: [format], properties })).text;
}

describe('a workbook of Excel', () => {
  it('is a table for each sheet, below the name of the sheet', async () => {
    const { text, title, extractor } = await read(
      makeXlsx({
        sheets: [
          { name: 'Costs', rows: `${textRow(1, 'Item', 'Cost')}${textRow(2, 'Roof | tiles', '900')}` },
          { name: 'People', rows: `${textRow(1, 'Name', 'Role')}${textRow(2, 'Ada', 'Builder')}` },
          { name: 'Empty', rows: '' },
        ],
      }),
    );
    expect(text).toBe(
      '## Costs\n\n| Item | Cost |\n| --- | --- |\n| Roof \\| tiles | 900 |\n\n## People\n\n| Name | Role |\n| --- | --- |\n| Ada | Builder |',
    );
    expect({ title, extractor }).toEqual({ title: '', extractor: 'xlsx' });
  });

  it.each(['Sheet1', 'Tabelle1', 'Feuil1', 'Hoja1'])('has no heading for its only sheet %s', async (name) => {
    expect((await read(makeXlsx({ sheets: [{ name, rows: textRow(1, 'a', 'b') }] }))).text).toBe(
      '| a | b |\n| --- | --- |',
    );
  });

  it('has the text of a cell that is merged over rows in each of them that has others', async () => {
    const rows = [
      textRow(1, 'Room', 'Area'),
      textRow(2, 'Kitchen', '12'),
      textRow(3, '', '14').replace('<row ', '<row hidden="1" '),
      textRow(4, '', '16'),
      textRow(6, 'Hall', '9'),
    ];
    const sheet = { name: 'Sheet1', rows: rows.join(''), merged: ['A2:A5'] };
    expect((await read(makeXlsx({ sheets: [sheet] }))).text).toBe(
      '| Room | Area |\n| --- | --- |\n| Kitchen | 12 |\n| Kitchen | 16 |\n\n| Room | Area |\n| --- | --- |\n| Hall | 9 |',
    );
  });

  it('names columns below merged cells with the text of these', async () => {
    const rows = [
      textRow(1, 'Sales of 2024'),
      textRow(2, 'Region', 'Spring', '', 'Autumn'),
      textRow(3, '', '2023', '2024', '2023', '2024'),
      textRow(4, 'North', '10', '12', '5', '6'),
    ];
    const merged = ['A1:E1', 'A2:A3', 'B2:C2', 'D2:E2'];
    expect((await read(makeXlsx({ sheets: [{ name: 'Sheet1', rows: rows.join(''), merged }] }))).text).toBe(
      'Sales of 2024\n\n| Region | Spring: 2023 | Spring: 2024 | Autumn: 2023 | Autumn: 2024 |\n' +
        '| --- | --- | --- | --- | --- |\n| North | 10 | 12 | 5 | 6 |',
    );
  });

  it.each([
    ['values', [textRow(2, '10', '12'), textRow(3, '11', '13')]],
    ['texts of its own', [textRow(2, 'Grebe', 'green', 'Ada'), textRow(3, 'Heron', 'blue', 'Bob')]],
    ['texts, and numbers below other names', [textRow(2, 'Grebe', 'green', 'Ada'), textRow(3, 'Heron', '9', 'Bob')]],
    ['nothing beyond its beginning', [textRow(2, 'Ada', ''), textRow(3, 'Bob', '')]],
  ])('keeps a row below merged cells that has %s', async (_, rows) => {
    const sheet = { name: 'Sheet1', rows: textRow(1, 'Boats', '', 'Crew') + rows.join(''), merged: ['A1:B1'] };
    expect((await read(makeXlsx({ sheets: [sheet] }))).text).toMatch(/^\| Boats \|.* Crew \|$/m);
  });

  it('has the texts that cells share, with the parts of each joined and without readings', async () => {
    const strings =
      '<si><t>Name</t></si><si><r><t>Ada </t></r><r><rPr><b/></rPr><t>Byron</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t>a_x000D_b</t></si>';
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>3</v></c><c r="C2" t="s"><v>99</v></c></row>';
    expect((await readRows(rows, { strings })).text).toBe('| Name | Ada Byron |\n| --- | --- |\n| 東京 | a b |');
  });

  it('shows results of formulas and booleans, and no errors', async () => {
    const rows =
      '<row r="1"><c r="A1"><f>0.1+0.2</f><v>0.30000000000000004</v></c><c r="B1" t="str"><f>A1&amp;B1</f><v>so</v></c><c r="C1" t="b"><v>1</v></c><c r="D1" t="e"><v>#REF!</v></c><c r="E1" t="d"><v>2026-03-14T00:00:00</v></c></row>';
    expect((await readRows(rows)).text).toBe('| 0.3 | so | TRUE | 2026-03-14 |\n| --- | --- | --- | --- |');
  });

  it.each([
    [46095, 14, '2026-03-14'],
    [46095.604166666664, 22, '2026-03-14 14:30'],
    [0.604166666666667, 20, '14:30'],
    [0.604166666666667, 'h:mm:ss AM/PM', '14:30:00'],
    [1.5, '[h]:mm', '36:00'],
    [46095, 'dd.mm.yyyy', '2026-03-14'],
    [46095, '[$-407]d. mmmm yyyy;@', '2026-03-14'],
    [46095, 'mmm-yy', '2026-03'],
    [46095, 'yyyy', '2026'],
    [46095.5, 'yyyy"年"m"月"d"日" hh:mm', '2026-03-14 12:00'],
    [1, 14, '1900-01-01'],
    [59, 14, '1900-02-28'],
    [60, 14, '1900-02-29'],
    [61, 14, '1900-03-01'],
    [-5, 14, '-5'],
    [1e15, 14, '1000000000000000'],
    [0.125, 9, '13%'],
    [0.125, '0.0%', '12.5%'],
    [0.125, '0.0 %', '12.5%'],
    [0.125, '0.##%', '12.5%'],
    [1234.5, 4, '1234.50'],
    [1234.5, '#,##0.00 "€"', '1234.50 €'],
    [1234.5, '#,##0.00\\ [$€-407]', '1234.50 €'],
    [-1234.5, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', '-$1234.50'],
    [1234.5, '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', '$1234.50'],
    [1.005, '0.00', '1.01'],
    [1067, '00000', '01067'],
    [12, '0 "km"', '12 km'],
    [1234567, '0.0,,"M"', '1234567'],
    [0.25, '# ?/?', '0.25'],
    [5551234, '[<=9999999]###-####;(###) ###-####', '5551234'],
    [12, '0.00 EUR', '12.00 EUR'],
    [0.1234567890123, 0, '0.1234567890123'],
    ['1.0E-3', 0, '0.001'],
    [3, '0;-0;;@', '3'],
    [7, '"Week" 0', 'Week 7'],
  ])('shows %s in the format %j as %j', async (value, format, expected) => {
    expect(await shown(value, format)).toBe(expected);
  });

  it('keeps raised numbers apart from the letters before them', async () => {
    const strings =
      '<si><r><t>Area (m</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>2</t></r><r><t>)</t></r></si><si><t>x</t></si>';
    const { text } = await readRows('<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>', { strings });
    expect(text).toBe('| Area (m²) | x |\n| --- | --- |');
  });

  it('counts the days of a file of an old Mac from 1904', async () => {
    expect(await shown(44633, 14, ' date1904="1"')).toBe('2026-03-14');
  });

  it('leaves out hidden sheets, rows and columns, which divide nothing', async () => {
    const { text } = await read(
      makeXlsx({
        sheets: [
          {
            name: 'Seen',
            before: '<cols><col min="2" max="2" hidden="1"/></cols>',
            rows: `${textRow(1, 'Item', 'Secret', 'Cost')}${textRow(2, 'Old', 's', '1').replace('<row', '<row hidden="1"')}${textRow(3, 'New', 's', '2')}`,
          },
          { name: 'Unseen', state: 'hidden', rows: textRow(1, 'secret', 'b') },
          { name: 'Never seen', state: 'veryHidden', rows: textRow(1, 'secret', 'b') },
        ],
      }),
    );
    expect(text).toBe('## Seen\n\n| Item | Cost |\n| --- | --- |\n| New | 2 |');
  });

  it('makes tables of their own of what an empty row divides, and paragraphs of the lines above a table', async () => {
    const rows = [
      textRow(3, '', 'Budget 2026'),
      textRow(4, '', 'Item', 'Cost'),
      textRow(5, '', 'Roof', '900'),
      textRow(8, '', 'Name', 'Role'),
      textRow(9, '', 'Ada', 'Builder'),
      textRow(12, '', 'Checked by Ben | Ada'),
    ];
    expect((await readRows(rows.join(''))).text.split('\n\n')).toEqual([
      'Budget 2026',
      '| Item | Cost |\n| --- | --- |\n| Roof | 900 |',
      '| Name | Role |\n| --- | --- |\n| Ada | Builder |',
      'Checked by Ben | Ada',
    ]);
  });

  it('gives rows after an empty one the head of the table above, if their first one is no head', async () => {
    const rows = [
      textRow(1, 'Day', 'What', 'Cost'),
      textRow(2, '2026-01-03', 'Roof', '900'),
      textRow(4, '2026-02-03', 'Paint', '40.50 €'),
      textRow(5, '2026-02-04', 'Nails', '3'),
      textRow(7, '', 'Total', '943.50'),
      textRow(9, 'Item', 'Who', '2026'),
      textRow(10, 'Roof', 'Ada', '3'),
      textRow(12, 'Item', 'Who', '2027'),
      textRow(13, 'Roof', 'Ben', '4'),
    ];
    const head = '| Day | What | Cost |\n| --- | --- | --- |';
    expect((await readRows(rows.join(''))).text.split('\n\n')).toEqual([
      `${head}\n| 2026-01-03 | Roof | 900 |`,
      `${head}\n| 2026-02-03 | Paint | 40.50 € |\n| 2026-02-04 | Nails | 3 |`,
      `${head}\n|  | Total | 943.50 |`,
      '| Item | Who | 2026 |\n| --- | --- | --- |\n| Roof | Ada | 3 |',
      '| Item | Who | 2027 |\n| --- | --- | --- |\n| Roof | Ben | 4 |',
    ]);
  });

  it('reads the names of elements and relations with any prefix, and cells that do not say where they are', async () => {
    const rows = '<x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c><x:c><x:v>2</x:v></x:c></x:row>';
    expect((await readRows(rows)).text).toBe('| a | 2 |\n| --- | --- |');
  });

  it('has the title, the author and the day of its properties', async () => {
    const core =
      '<cp:coreProperties><dc:title>Household 2026</dc:title><dc:creator>Ada Byron</dc:creator><dcterms:created>2026-01-02T10:00:00Z</dcterms:created></cp:coreProperties>';
    expect(await readRows(textRow(1, 'a', 'b'), { files: { 'docProps/core.xml': core } })).toMatchObject({
      title: 'Household 2026',
      byline: 'Ada Byron',
      published_at: '2026-01-02T10:00:00.000Z',
    });
  });

  it('reads the first rows of a sheet that is far too large, and says so', async () => {
    const row = textRow(1, 'A line of a very long table', 'and its value').replaceAll(/ r="[^"]*"/g, '');
    const { text, truncated } = await readRows(row.repeat(250_000));
    expect(truncated).toBe(true);
    expect(text.length).toBeGreaterThan(1_000_000);
    expect(text.length).toBeLessThanOrEqual(2_000_000);
  });

  it('ends within its limits when a text is referred to a million times', async () => {
    const strings = `<si><t>${'long '.repeat(10_000)}</t></si>`;
    const { text, truncated } = await readRows(
      '<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>'.repeat(400_000),
      { strings },
    );
    expect(truncated).toBe(true);
    expect(text.length).toBeLessThanOrEqual(2_000_000);
  });

  it('is no longer than a page for cells far apart', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => {
      const column = String.fromCharCode(65 + (at % 26));
      return `<row r="${at + 1}"><c r="A${column}${at + 1}"><v>${at}</v></c><c r="XF${column}${at + 1}"><v>1</v></c></row>`;
    });
    const { text, truncated } = await readRows(rows.join(''));
    expect({ truncated, isWithin: text.length <= 2_000_000 }).toEqual({ truncated: true, isWithin: true });
  });

  it.each([
    ['outside of the archive', '../../../etc/passwd'],
    ['with an absolute path', '/etc/passwd'],
    ['that is the list of sheets itself', 'workbook.xml'],
    ['that is missing', 'worksheets/none.xml'],
  ])('has no text for a sheet %s', async (_, target) => {
    const rels = `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="${target}"/></Relationships>`;
    expect((await readRows(textRow(1, 'a'), { files: { 'xl/_rels/workbook.xml.rels': rels } })).text).toBe('');
  });

  it('says that a file is nested too deeply, and expands no entities', async () => {
    await expect(readRows('<row>'.repeat(100_000))).rejects.toThrow('nested too deeply');
    const attributes = Array.from({ length: 2_000 }, (_, at) => `a${at}=""`).join(' ');
    await expect(readRows(`<row ${attributes}/>`)).rejects.toThrow('too many attributes');
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'b'.repeat(1_000)}"><!ENTITY c "&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&c;</v></c></row></sheetData></worksheet>`;
    expect((await readRows('', { files: { 'xl/worksheets/sheet1.xml': bomb } })).text).toBe('&c;');
  });

  it('is empty where its parts are missing or something else', async () => {
    expect((await read(makeZip({ 'xl/workbook.xml': '' }))).text).toBe('');
    expect((await read(makeZip({ 'xl/workbook.xml': 'no XML at all <<<>>>' }))).text).toBe('');
  });
});
