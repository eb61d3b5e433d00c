import { describe, expect, it } from 'vitest';
import { extractDocx } from '../../../src/web/extract/documents/extract-docx.ts';
import { openZip } from '../../../src/web/extract/documents/zip.ts';
import { makeZip } from '../../support/documents/make-zip.ts';

/** What is read of paragraphs with this content. */
function read(...paragraphs: readonly string[]): string[] {
  const body = paragraphs.map((content) => `<w:p>${content}</w:p>`).join('');
  const xml = `<w:document xmlns:w="w" xmlns:m="m" xmlns:mc="mc"><w:body>${body}</w:body></w:document>`;
  return extractDocx(openZip(makeZip({ 'word/document.xml': xml }))).text.split('\n\n');
}

const run = (content: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr>${content}</w:r>`;
const text = (words: string) => `<w:t xml:space="preserve">${words}</w:t>`;

describe('a Word document', () => {
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
});
