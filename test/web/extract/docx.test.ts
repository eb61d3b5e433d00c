import { describe, expect, it } from 'vitest';
import { extractDocx } from '../../../src/web/extract/documents/extract-docx.ts';
import { openZip } from '../../../src/web/extract/documents/zip.ts';
import { extract } from '../../../src/web/extract/extract.ts';
import { makeZip } from '../../support/documents/make-zip.ts';

/** What is read of paragraphs with this content. */
function read(...paragraphs: readonly string[]): string[] {
  return readWith({}, ...paragraphs);
}

/** The same with further files in the archive. */
function readWith(files: Record<string, string>, ...paragraphs: readonly string[]): string[] {
  const body = paragraphs.map((content) => `<w:p>${content}</w:p>`).join('');
  const xml = `<w:document xmlns:w="w" xmlns:m="m" xmlns:mc="mc"><w:body>${body}</w:body></w:document>`;
  return extractDocx(openZip(makeZip({ 'word/document.xml': xml, ...files })), 'word/document.xml').text.split('\n\n');
}

const run = (content: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr>${content}</w:r>`;
const text = (words: string) => `<w:t xml:space="preserve">${words}</w:t>`;

describe('a Word document', () => {
  it('has its text in the part that it names, as Word on the web does, with the styles of that part', async () => {
    const relationships = (...all: readonly (readonly [type: string, target: string])[]) =>
      `<Relationships>${all.map(([type, target], n) => `<Relationship Id="r${n}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`).join('')}</Relationships>`;
    const bytes = makeZip({
      '_rels/.rels': relationships(['officeDocument', '/word/document2.xml']),
      'word/_rels/document2.xml.rels': relationships(['styles', 'styles2.xml']),
      'word/styles2.xml':
        '<w:styles><w:style w:type="paragraph" w:styleId="A"><w:name w:val="heading 2"/></w:style></w:styles>',
      'word/document2.xml':
        '<w:document><w:body><w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>Cranes</w:t></w:r></w:p><w:p><w:r><w:t>Each lifts 40 t.</w:t></w:r></w:p></w:body></w:document>',
    });
    expect(await extract(bytes, { contentType: '', url: 'file:///a.docx' })).toMatchObject({
      extractor: 'docx',
      text: '## Cranes\n\nEach lifts 40 t.',
    });
    const book = makeZip({
      '_rels/.rels': relationships(['officeDocument', 'xl/workbook2.xml']),
      'xl/_rels/workbook2.xml.rels': relationships(['worksheet', 'worksheets/one.xml']),
      'xl/workbook2.xml': '<workbook><sheets><sheet name="Cranes" r:id="r0"/></sheets></workbook>',
      'xl/worksheets/one.xml':
        '<worksheet><sheetData><row><c t="str"><v>Crane</v></c><c><v>40</v></c></row></sheetData></worksheet>',
    });
    expect((await extract(book, { contentType: '', url: 'file:///a.xlsx' }))?.text).toContain('| Crane | 40 |');
  });

  it('has a cell that spans rows in each of them', () => {
    const cell = (words: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr><w:p>${words === '' ? '' : run(text(words))}</w:p></w:tc>`;
    const body = [
      [cell('Port'), cell('Berth')],
      [cell('Marlow', '<w:vMerge w:val="restart"/>'), cell('1')],
      [cell('', '<w:vMerge/>'), cell('2')],
      [cell('', '<w:vMerge w:val="continue"/>'), cell('3')],
      [cell('Eastness'), cell('')],
    ];
    const rows = body.map((cells) => `<w:tr>${cells.join('')}</w:tr>`).join('');
    const xml = `<w:document><w:body><w:tbl>${rows}</w:tbl></w:body></w:document>`;
    expect(extractDocx(openZip(makeZip({ 'word/document.xml': xml })), 'word/document.xml').text).toBe(
      '| Port | Berth |\n| --- | --- |\n| Marlow | 1 |\n| Marlow | 2 |\n| Marlow | 3 |\n| Eastness |  |',
    );
  });

  it('has only so much of cells that span very many rows', () => {
    const row = (first: string, n: number) => `<w:tr>${first}<w:tc><w:p>${run(text(`Berth ${n}`))}</w:p></w:tc></w:tr>`;
    const below = '<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p></w:p></w:tc>';
    const shownOf = (words: string, rows: number) => {
      const first = `<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p>${run(text(words))}</w:p></w:tc>`;
      const body = Array.from({ length: rows }, (_, n) => row(n === 0 ? first : below, n)).join('');
      const xml = `<w:document><w:body><w:tbl>${body}</w:tbl></w:body></w:document>`;
      const { text: shown } = extractDocx(openZip(makeZip({ 'word/document.xml': xml })), 'word/document.xml');
      expect(shown).toContain(`| Berth ${rows - 1} |`);
      return shown.split(words).length - 1;
    };
    expect(shownOf('Marlow '.repeat(25).trim(), 400)).toBe(400);
    expect(shownOf('Marlow '.repeat(25).trim(), 3_000)).toBeLessThan(1_200);
    expect(shownOf('Marlow '.repeat(40).trim(), 3)).toBe(1);
  });

  it('keeps hyphens that do not break, which figures and names have', () => {
    expect(
      read(run(`${text('Built 1901')}<w:noBreakHyphen/>${text('1910, call 555')}<w:noBreakHyphen/>${text('1234')}`)),
    ).toEqual(['Built 1901-1910, call 555-1234']);
  });

  it('keeps the signs of the font for symbols, and formulas', () => {
    const formula = '<m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath>';
    expect(
      read(
        `${run(`${text('At 5')}<w:sym w:font="Symbol" w:char="F0B0"/>${text('C, ')}`)}${formula}${run(text(' holds.'))}`,
      ),
    ).toEqual(['At 5°C, E=mc holds.']);
  });

  it('keeps raised numbers apart from the digits and letters before them, however their runs are divided', () => {
    const raised = (words: string) => run(text(words), '<w:vertAlign w:val="superscript"/>');
    expect(
      read(
        `${run(text('1.989×10'))}${raised('30')}${run(text(' kg on 6×10'))}${raised('−')}${raised('12')}${run(text(' km'))}${raised('2')}`,
        `${run(text('On the 1'))}${raised('st')}${run(text(' of H'))}${run(text('2'), '<w:vertAlign w:val="subscript"/>')}${run(text('O.'))}`,
      ),
    ).toEqual(['1.989×10³⁰ kg on 6×10⁻¹² km²', 'On the 1st of H2O.']);
  });

  describe('with numbered paragraphs', () => {
    const level = (at: number, format: string, label: string, more = '') =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${label}"/>${more}</w:lvl>`;
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="7">${level(0, 'decimal', '%1.')}${level(1, 'decimal', '%1.%2')}${level(2, 'lowerLetter', '(%3)')}</w:abstractNum><w:abstractNum w:abstractNumId="8">${level(0, 'bullet', '\uf0b7')}${level(1, 'bullet', 'o')}</w:abstractNum><w:abstractNum w:abstractNumId="9">${level(0, 'upperRoman', 'Part %1')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="9"/></w:num><w:num w:numId="4"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num></w:numbering>`;
    const styles =
      '<w:styles><w:style w:type="paragraph" w:styleId="Part"><w:name w:val="heading 1"/><w:numPr><w:numId w:val="3"/></w:numPr></w:style><w:style w:type="paragraph" w:styleId="Part2"><w:basedOn w:val="Part"/></w:style></w:styles>';
    const files = { 'word/numbering.xml': numbering, 'word/styles.xml': styles };
    const item = (list: number, at: number, words: string) =>
      `<w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text(words))}`;
    const styled = (style: string, more: string, words: string) =>
      `<w:pPr><w:pStyle w:val="${style}"/>${more}</w:pPr>${run(text(words))}`;

    it('has their numbers, as Word shows them', () => {
      const read = readWith(
        files,
        ...[
          styled('Part', '', 'Terms'),
          item(1, 0, 'Rent'),
          item(1, 1, 'Cold'),
          item(1, 1, 'Warm'),
          item(1, 2, 'with heat'),
        ],
        ...[
          item(1, 2, 'and water'),
          item(1, 0, 'Deposit'),
          item(1, 1, 'Two rents'),
          styled('Part2', '', 'Ends'),
          item(4, 0, 'Keys'),
        ],
      );
      expect(read).toEqual([
        ...[
          '# Part I Terms',
          '1. Rent',
          '1.1 Cold',
          '1.2 Warm',
          '(a) with heat',
          '(b) and water',
          '2. Deposit',
          '2.1 Two rents',
        ],
        ...['# Part II Ends', '5. Keys'],
      ]);
    });

    it('has points of lists, with their levels, and none where a paragraph is in no list', () => {
      const none = '<w:numPr><w:numId w:val="0"/></w:numPr>';
      expect(
        readWith(files, item(2, 0, 'a'), item(2, 1, 'b'), item(99, 0, 'c'), item(0, 0, 'd'), styled('Part', none, 'e')),
      ).toEqual(['- a', '  - b', '- c', 'd', '# e']);
    });
  });

  it('keeps the cells of a table in their columns beside those that span some', () => {
    const cell = (words: string, span = 1) =>
      `<w:tc><w:tcPr>${span > 1 ? `<w:gridSpan w:val="${span}"/>` : ''}</w:tcPr><w:p>${run(text(words))}</w:p></w:tc>`;
    const rows = [cell('Cost', 2) + cell('Who'), cell('net') + cell('gross') + cell('Ada'), cell('Sum', 3)];
    expect(
      read(
        `</w:p><w:tbl>${rows.map((each) => `<w:tr>${each}</w:tr>`).join('')}<w:tr><w:trPr><w:gridBefore w:val="2"/></w:trPr>${cell('Ben')}</w:tr></w:tbl><w:p>`,
      ),
    ).toEqual(['| Cost |  | Who |\n| --- | --- | --- |\n| net | gross | Ada |\n| Sum |  |  |\n|  |  | Ben |']);
  });

  it('has the groups of columns in their names', () => {
    const cell = (words: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr><w:p>${words === '' ? '' : run(text(words))}</w:p></w:tc>`;
    const two = '<w:gridSpan w:val="2"/>';
    const rows = [
      cell('Room', '<w:vMerge w:val="restart"/>') + cell('Summer', two) + cell('Winter', two),
      cell('', '<w:vMerge/>') + cell('Single') + cell('Double') + cell('Single') + cell('Double'),
      cell('Lake') + cell('80') + cell('120') + cell('60') + cell('90'),
    ];
    const table = `<w:tbl>${rows.map((each) => `<w:tr>${each}</w:tr>`).join('')}</w:tbl>`;
    expect(read(`</w:p>${table}<w:p>`)).toEqual([
      '| Room | Summer: Single | Summer: Double | Winter: Single | Winter: Double |\n| --- | --- | --- | --- | --- |\n| Lake | 80 | 120 | 60 | 90 |',
    ]);
  });

  it('has no text that is hidden, deleted, or moved to another place', () => {
    expect(
      read(
        `${run(text('Seen. '))}${run(text('Hidden. '), '<w:vanish/>')}${run(text('Shown again.'), '<w:vanish w:val="0"/>')}`,
        `<w:moveFrom>${run(text('The clause.'))}</w:moveFrom><w:del>${run('<w:delText>Gone.</w:delText>')}</w:del>`,
        `<w:moveTo>${run(text('The clause.'))}</w:moveTo>`,
      ),
    ).toEqual(['Seen. Shown again.', 'The clause.']);
  });

  it('has the text of a drawing once, and a word without the reading beside it', () => {
    const box = (name: string) => `<mc:${name}>${run(text('In a box.'))}</mc:${name}>`;
    expect(read(`<mc:AlternateContent>${box('Choice')}${box('Fallback')}</mc:AlternateContent>`)).toEqual([
      'In a box.',
    ]);
    expect(
      read(`<w:ruby><w:rt>${run(text('とうきょう'))}</w:rt><w:rubyBase>${run(text('東京'))}</w:rubyBase></w:ruby>`),
    ).toEqual(['東京']);
  });

  it('keeps a paragraph and its style apart from the drawing in it', () => {
    const box = `<w:r><w:txbxContent><w:p>${run(text('In a box.'))}</w:p></w:txbxContent></w:r>`;
    const drawing = `<mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`;
    const heading = '<w:pPr><w:pStyle w:val="Heading2"/></w:pPr>';
    expect(read(`${heading}${run(text('The '))}${drawing}${run(text('crane'))}`)).toEqual([
      '## The crane',
      'In a box.',
    ]);
  });

  it('takes no format from before a tracked change', () => {
    const before = '<w:pPr><w:pPrChange><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange></w:pPr>';
    const hidden = '<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>';
    expect(read(`${before}${run(text('Shown now.'), hidden)}`)).toEqual(['Shown now.']);
  });

  it('takes signs of other fonts for no letters', () => {
    expect(read(run(`<w:sym w:font="Wingdings" w:char="F070"/>${text(' Agreed')}`))).toEqual(['Agreed']);
  });

  it('keeps the parts of a formula apart', () => {
    const m = (words: string) => `<m:r><m:t>${words}</m:t></m:r>`;
    const half = `<m:f><m:num>${m('1')}</m:num><m:den>${m('2')}</m:den></m:f>`;
    const square = `<m:sSup><m:e>${m('v')}</m:e><m:sup>${m('2')}</m:sup></m:sSup>`;
    const sum = `<m:f><m:num>${m('a+b')}</m:num><m:den><m:rad><m:e>${m('3')}</m:e></m:rad></m:den></m:f>`;
    const within = `${m('2')}<m:d><m:e>${m('x+1')}</m:e></m:d>`;
    expect(read(`<m:oMath>${half}${m('m')}${square}</m:oMath>`)).toEqual(['1/2mv^2']);
    expect(read(`<m:oMath>${sum}</m:oMath>`)).toEqual(['(a+b)/(√3)']);
    expect(read(`<m:oMath>${within}</m:oMath>`)).toEqual(['2(x+1)']);
  });

  it('ends with the notes that its text refers to, numbered in its order', () => {
    const note = (id: number, words: string, more = '') =>
      `<w:footnote w:id="${id}"${more}><w:p>${run(`<w:footnoteRef/>${text(words)}`)}</w:p></w:footnote>`;
    const notes = `<w:footnotes xmlns:w="w">${note(0, 'line', ' w:type="separator"')}${note(2, 'Until 1931.')}${note(5, 'In tonnes.')}</w:footnotes>`;
    const mark = (id: number) => run(`<w:footnoteReference w:id="${id}"/>`);
    expect(
      readWith(
        { 'word/footnotes.xml': notes },
        `${run(text('It lifts 40'))}${mark(5)}${run(text(' as before'))}${mark(2)}${run(text('.'))}`,
      ),
    ).toEqual(['It lifts 40 as before.', '1. In tonnes.', '2. Until 1931.']);
  });

  describe('the headings of one', () => {
    const style = (id: string, content: string) => `<w:style w:type="paragraph" w:styleId="${id}">${content}</w:style>`;
    const named = (id: string, name: string, content = '') => style(id, `<w:name w:val="${name}"/>${content}`);
    const outlined = (level: number) => `<w:pPr><w:outlineLvl w:val="${level}"/></w:pPr>`;
    const basedOn = (id: string) => `<w:basedOn w:val="${id}"/>`;
    const readStyled = (styles: string, ...ids: string[]) =>
      readWith(
        { 'word/styles.xml': `<w:styles xmlns:w="w">${styles}</w:styles>` },
        ...ids.map((id) => `<w:pPr><w:pStyle w:val="${id}"/></w:pPr>${run(text('Capítulo'))}`),
      );
    const level = (styles: string, id: string) => /^#*/.exec(readStyled(styles, id)[0]!)![0].length;

    it.each(['Ttulo1', 'Kop1', 'Rubrik1', 'Overskrift1', 'Otsikko1', '1', 'Nagwek1'])(
      'are told by the names of their styles, whatever Word calls %s in its own language',
      (id) => {
        expect(level(named(id, 'heading 1'), id)).toBe(1);
        expect(level(named(id, 'heading 3'), id)).toBe(3);
        expect(level(named(id, 'heading 9'), id)).toBe(6);
        expect(level(named(id, 'Title'), id)).toBe(1);
        expect(level(named(id, 'Body Text'), id)).toBe(0);
      },
    );

    it('are told by the level in the outline, of a style or of one that it is based on', () => {
      expect(level(named('Hoofdstuk', 'Hoofdstuk', outlined(1)), 'Hoofdstuk')).toBe(2);
      const mine = style('Mijn', basedOn('Kop2')) + style('Diep', basedOn('Mijn'));
      expect(level(named('Kop2', 'heading 2', outlined(1)) + mine, 'Diep')).toBe(2);
      // The heading of a table of contents is none of the text.
      const contents = named('Inhoud', 'TOC Heading', basedOn('Kop2') + outlined(9));
      expect(level(named('Kop2', 'heading 2') + contents, 'Inhoud')).toBe(0);
    });

    it('are told by the ids of their styles where the styles are missing', () => {
      expect(level('', 'Heading2')).toBe(2);
      expect(read(`<w:pPr><w:pStyle w:val="Titre1"/></w:pPr>${run(text('Chapitre'))}`)).toEqual(['# Chapitre']);
      expect(readWith({ 'word/styles.xml': '<w:a>'.repeat(1_000) }, run(text('Text')))).toEqual(['Text']);
    });

    it('are found in bounded time in styles that are many or based on each other in a circle', () => {
      expect(level(style('A', basedOn('B')) + style('B', basedOn('A')), 'A')).toBe(0);
      const chain = Array.from({ length: 50_000 }, (_, n) => style(`S${n}`, basedOn(`S${n + 1}`))).join('');
      const from = performance.now();
      expect(level(chain + named('S50000', 'heading 1'), 'S0')).toBe(0);
      expect(performance.now() - from).toBeLessThan(2_000);
    });
  });
});
