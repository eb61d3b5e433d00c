/** One slide of a presentation of PowerPoint, or the notes to it (PresentationML and DrawingML, ECMA-376-1, 19 and 21). */
import { createRunWriter } from '../../superscript.ts';
import { createBlockList, tidyCell } from '../block-list.ts';
import { isTrue, localName, readXml } from '../read-xml.ts';

export interface PptxSlide {
  readonly title: string;
  readonly blocks: readonly string[];
  /** All its paragraphs, which are what the speaker says if these are notes. */
  readonly paragraphs: readonly string[];
  readonly isHidden: boolean;
  readonly truncated: boolean;
}

/** What every slide repeats, by the types of placeholders. */
const repeated: ReadonlySet<string> = new Set(['sldNum', 'ftr', 'dt', 'hdr', 'sldImg']);
const titles: ReadonlySet<string> = new Set(['title', 'ctrTitle']);

interface Shape {
  /** The type of its placeholder; undefined for any other shape, such as a text box. */
  placeholder: string | undefined;
  isHidden: boolean;
}

/** Reads a slide; an empty one of a file that is not there. Throws for one that is nested too deeply. */
export function readPptxSlide(bytes: Uint8Array | undefined): PptxSlide {
  const list = createBlockList();
  const title: string[] = [];
  const paragraphs: string[] = [];
  let isHidden = false;
  let shape: Shape = { placeholder: undefined, isHidden: false };
  let paragraph = beginParagraph();
  let isRaised = false;
  /** The rows of the open table, and the paragraphs of its open cell. */
  let table: string[][] | undefined;
  let cell: string[] | undefined;
  /** Open elements whose content is not shown: the older form of a drawing, and numbers that change with the slide. */
  let unseen = 0;
  let isText = false;

  function endParagraph(): void {
    const { level, bullet } = paragraph;
    const text = paragraph.text + paragraph.writer.flush();
    const { placeholder } = shape;
    if (text.trim() === '' || shape.isHidden || repeated.has(placeholder ?? '')) return;
    if (cell !== undefined) cell.push(text);
    else if (titles.has(placeholder ?? '')) title.push(text);
    // The body of a slide is a list unless it says otherwise; other shapes are not.
    else if (bullet ?? (placeholder === 'body' || placeholder === 'obj')) list.addItem(level, text);
    else list.add(text);
    paragraphs.push(text);
  }

  readXml(bytes, {
    open(element, attributes) {
      const name = localName(element);
      const isUnseen = name === 'Fallback' || (name === 'fld' && /^(?:slidenum|datetime)/.test(attributes.type ?? ''));
      if (isUnseen || (unseen > 0 && mayBeUnseen(name))) unseen += 1;
      isText = name === 't' && unseen === 0;
      if (unseen > 0) return;
      if (name === 'sld') isHidden = attributes.show === '0' || attributes.show === 'false';
      else if (name === 'sp' || name === 'graphicFrame' || name === 'cxnSp' || name === 'pic')
        shape = { placeholder: undefined, isHidden: false };
      else if (name === 'cNvPr') shape.isHidden = isTrue(attributes.hidden);
      // A placeholder without a type is one for any content (ECMA-376-1, 19.7.10).
      else if (name === 'ph') shape.placeholder = attributes.type ?? 'obj';
      else if (name === 'p') paragraph = beginParagraph();
      else if (name === 'r' || name === 'fld') isRaised = false;
      // How far it is raised, in thousandths of the size of the font (ECMA-376-1, 21.1.2.3.9).
      else if (name === 'rPr') isRaised = /^[1-9]/.test(attributes.baseline ?? '');
      else if (name === 'pPr') paragraph.level = /^[0-8]$/.test(attributes.lvl ?? '') ? Number(attributes.lvl) : 0;
      else if (name === 'buNone') paragraph.bullet = false;
      else if (name === 'buChar' || name === 'buAutoNum' || name === 'buBlip') paragraph.bullet = true;
      else if (name === 'br') paragraph.text += paragraph.writer.write('\n', false);
      else if (name === 'tbl') table = [];
      else if (name === 'tr') table?.push([]);
      else if (name === 'tc') cell = [];
    },
    text(part) {
      if (isText) paragraph.text += paragraph.writer.write(part, isRaised);
    },
    close(element) {
      const name = localName(element);
      isText = false;
      if (unseen > 0) {
        if (mayBeUnseen(name)) unseen -= 1;
        return;
      }
      if (name === 'p') endParagraph();
      else if (name === 'tc') {
        table?.at(-1)?.push(tidyCell(cell?.join(' ') ?? ''));
        cell = undefined;
      } else if (name === 'tbl' && table !== undefined) {
        list.addTable(table);
        table = undefined;
      }
    },
    isDone: () => list.truncated,
  });
  return { title: title.join(' '), blocks: list.blocks, paragraphs, isHidden, truncated: list.truncated };
}

function beginParagraph() {
  return { text: '', writer: createRunWriter(), level: 0, bullet: undefined as boolean | undefined };
}

/** Elements that may hide what is in them; inside a hidden one, all of them are counted, so that they end in order. */
function mayBeUnseen(name: string): boolean {
  return name === 'Fallback' || name === 'fld';
}
