/** A presentation of PowerPoint (PPTX) as Markdown: its visible slides in their order, each with the notes of the speaker. */
import type { Extraction } from '../../extraction.ts';
import { coreProperties } from '../office-document.ts';
import { localName, readXml } from '../read-xml.ts';
import { readRelationships, relationshipId } from '../relationships.ts';
import type { ZipArchive } from '../zip.ts';
import { readPptxSlide } from './pptx-slide.ts';
import { createSlides } from './slides.ts';

/** Set by hand. */
const maxSlides = 3_000;

/** Reads the slides of a presentation, whose list is in the part `main`. Throws when its archive is damaged or too large, or a part is nested too deeply. */
export function extractPptx(archive: ZipArchive, main: string): Extraction {
  const slides = createSlides();
  const relationships = readRelationships(archive, main);
  const ids = slideIds(archive.read(main));
  for (const [at, id] of ids.slice(0, maxSlides).entries()) {
    if (slides.isFull) break;
    const relationship = relationships.get(id);
    if (relationship?.type !== 'slide') continue;
    const part = relationship.target;
    const slide = readPptxSlide(archive.read(part));
    if (slide.isHidden) continue;
    const notes = [...readRelationships(archive, part).values()].find(({ type }) => type === 'notesSlide');
    const said = notes === undefined ? undefined : readPptxSlide(archive.read(notes.target));
    slides.add({ ...slide, number: at + 1, notes: said?.paragraphs ?? [] });
  }
  return slides.toExtraction(coreProperties(archive), 'pptx', ids.length > maxSlides);
}

/** The ids of the relationships of the slides, in the order in which they are shown (ECMA-376-1, 19.2.1.34). */
function slideIds(bytes: Uint8Array | undefined): string[] {
  const ids: string[] = [];
  readXml(bytes, {
    open(name, attributes) {
      if (localName(name) === 'sldId') ids.push(relationshipId(attributes));
    },
    isDone: () => ids.length > maxSlides,
  });
  return ids;
}
