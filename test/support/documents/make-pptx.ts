/** Small presentations of our own making, as PowerPoint writes them. */
import { makeZip } from './make-zip.ts';

export interface TestSlide {
  /** The XML of its shapes. */
  readonly shapes: string;
  readonly isHidden?: boolean;
  /** What its notes say, in a placeholder of their own beside the number of the page. */
  readonly notes?: string;
}

const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (entries: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships>${entries.map(([id, type, target]) => `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

/** A presentation with these slides, whose files are numbered in the opposite order; `files` replace some. */
export function makePptx(slides: readonly TestSlide[], files: Record<string, string> = {}): Buffer {
  const numberOf = (at: number) => slides.length - at;
  return makeZip({
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="${types}"><p:sldIdLst>${slides
      .map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      slides.map((_, at) => [`rId${at}`, 'slide', `slides/slide${numberOf(at)}.xml`] as const),
    ),
    ...Object.fromEntries(
      slides.flatMap(({ shapes, isHidden = false, notes }, at) => {
        const name = `slide${numberOf(at)}.xml`;
        const slide = `<p:sld xmlns:p="p" xmlns:a="a"${isHidden ? ' show="0"' : ''}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
        if (notes === undefined) return [[`ppt/slides/${name}`, slide]];
        return [
          [`ppt/slides/${name}`, slide],
          [`ppt/slides/_rels/${name}.rels`, relationships([['rId1', 'notesSlide', `../notesSlides/${name}`]])],
          [
            `ppt/notesSlides/${name}`,
            `<p:notes xmlns:p="p" xmlns:a="a">${shape('sldImg', '')}${shape('body', textLine(notes))}${shape('sldNum', textLine('7'))}</p:notes>`,
          ],
        ];
      }),
    ),
    ...files,
  });
}

/** A shape with paragraphs; with an empty `placeholder`, a text box. */
export function shape(placeholder: string, paragraphs: string): string {
  const ph = placeholder === '' ? '' : placeholder === 'any' ? '<p:ph idx="1"/>' : `<p:ph type="${placeholder}"/>`;
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr>${ph}</p:nvPr></p:nvSpPr><p:txBody><a:bodyPr/>${paragraphs}</p:txBody></p:sp>`;
}

/** A paragraph with a text, and properties of it. */
export function textLine(text: string, properties = ''): string {
  return `<a:p><a:pPr${properties.startsWith('<') ? `>${properties}</a:pPr>` : `${properties}/>`}<a:r><a:t>${text}</a:t></a:r></a:p>`;
}
