import { describe, expect, it } from 'vitest';
import { extract } from '../../../../src/web/extract/extract.ts';
import type { Extraction } from '../../../../src/web/extract/extraction.ts';
import { makePptx, shape, textLine } from '../../../support/documents/make-pptx.ts';
import { makeZip } from '../../../support/documents/make-zip.ts';

async function read(bytes: Uint8Array): Promise<Extraction> {
  return (await extract(bytes, { contentType: '', url: 'file:///slides.pptx' }))!;
}

describe('a presentation of PowerPoint', () => {
  it('has its slides in the order in which they are shown, with titles, lists and notes', async () => {
    const { text, title, extractor } = await read(
      makePptx([
        {
          shapes: `${shape('ctrTitle', textLine('The new roof'))}${shape('subTitle', textLine('Ada Byron'))}`,
          notes: 'Welcome everybody.',
        },
        {
          shapes: `${shape('any', `${textLine('Tiles')}${textLine('Red ones', ' lvl="1"')}${textLine('Not a point', '<a:buNone/>')}`)}${shape('title', textLine('What we need'))}`,
        },
      ]),
    );
    expect(text.split('\n\n')).toEqual([
      '## The new roof',
      'Ada Byron',
      'Notes: Welcome everybody.',
      '## What we need',
      '- Tiles\n  - Red ones',
      'Not a point',
    ]);
    expect({ title, extractor }).toEqual({ title: 'The new roof', extractor: 'pptx' });
  });

  it('keeps raised numbers apart from the digits before them', async () => {
    const raised =
      '<a:p><a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>3</a:t></a:r><a:r><a:t> kg</a:t></a:r></a:p>';
    expect((await read(makePptx([{ shapes: shape('', raised) }]))).text).toBe('## Slide 1\n\n10³ kg');
  });

  it('leaves out hidden slides, and numbers, dates and footers of slides', async () => {
    const field =
      '<a:p><a:r><a:t>Page </a:t></a:r><a:fld type="slidenum"><a:t>2</a:t></a:fld><a:r><a:t>of all</a:t></a:r></a:p>';
    const { text } = await read(
      makePptx([
        { shapes: shape('title', textLine('Secret')), isHidden: true },
        {
          shapes: `${shape('', textLine('Seen'))}${shape('sldNum', textLine('2'))}${shape('ftr', textLine('Confidential'))}${shape('dt', textLine('14 March'))}${shape('', field)}`,
        },
        { shapes: shape('sldNum', textLine('3')) },
      ]),
    );
    expect(text).toBe('## Slide 2\n\nSeen\n\nPage of all');
  });

  it('has tables, points of text boxes, and no text twice', async () => {
    const cell = (...lines: readonly string[]) =>
      `<a:tc><a:txBody>${lines.map((line) => textLine(line)).join('')}</a:txBody></a:tc>`;
    const table = `<p:graphicFrame><p:nvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:tbl><a:tr>${cell('Item')}${cell('Cost')}</a:tr><a:tr>${cell('Roof', 'tiles')}${cell('900 | net')}</a:tr></a:tbl></a:graphic></p:graphicFrame>`;
    const either = `<mc:AlternateContent><mc:Choice>${shape('', textLine('Once'))}</mc:Choice><mc:Fallback>${shape('', textLine('Once'))}</mc:Fallback></mc:AlternateContent>`;
    const { text } = await read(
      makePptx([{ shapes: `${table}${either}${shape('', textLine('A point', '<a:buChar char="•"/>'))}` }]),
    );
    expect(text.split('\n\n')).toEqual([
      '## Slide 1',
      '| Item | Cost |\n| --- | --- |\n| Roof tiles | 900 \\| net |',
      'Once',
      '- A point',
    ]);
  });

  it('takes the title that its author gave, not the one of a program', async () => {
    const core = (title: string) => ({ 'docProps/core.xml': `<x><dc:title>${title}</dc:title></x>` });
    const slides = [{ shapes: shape('title', textLine('The new roof')) }];
    expect((await read(makePptx(slides, core('Roof 2026')))).title).toBe('Roof 2026');
    expect((await read(makePptx(slides, core('PowerPoint-Präsentation')))).title).toBe('The new roof');
  });

  it('ends when slides refer to themselves, to nothing, or to what is outside', async () => {
    const files = (target: string) => ({
      'ppt/_rels/presentation.xml.rels': `<Relationships><Relationship Id="rId0" Type="x/slide" Target="${target}"/></Relationships>`,
      'ppt/slides/_rels/slide1.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="x/notesSlide" Target="slide1.xml"/></Relationships>',
    });
    const slides = [{ shapes: shape('body', textLine('A point')) }];
    expect((await read(makePptx(slides, files('slides/slide1.xml')))).text).toBe(
      '## Slide 1\n\n- A point\n\nNotes: A point',
    );
    for (const target of ['../../../etc/passwd', '/etc/passwd', 'none.xml', 'presentation.xml'])
      expect((await read(makePptx(slides, files(target)))).text).toBe('');
    expect((await read(makeZip({ 'ppt/presentation.xml': 'nothing' }))).text).toBe('');
  });

  it('is cut at the limit of a page', async () => {
    const { text, truncated } = await read(
      makePptx([{ shapes: shape('any', textLine('A long point. '.repeat(10)).repeat(20_000)) }]),
    );
    expect({ truncated, isWithin: text.length <= 2_000_000 }).toEqual({ truncated: true, isWithin: true });
  });
});
