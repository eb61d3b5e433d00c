/** The slides of a presentation of any program as one extraction. */
import { type Extraction, maxTextChars } from '../../extraction.ts';
import { createBlockList } from '../block-list.ts';
import { type DocumentProperties, toExtraction } from '../office-document.ts';

export interface Slide {
  /** The number by the program's count, from 1. */
  readonly number: number;
  /** May be empty. */
  readonly title: string;
  readonly blocks: readonly string[];
  /** The paragraphs of the speaker's notes. */
  readonly notes: readonly string[];
  readonly truncated: boolean;
}

export interface Slides {
  readonly isFull: boolean;
  /** Adds a slide; nothing for one without any text. */
  add(slide: Slide): void;
  /** What is there, with `isCut` for a presentation of which not all slides were read. */
  toExtraction(properties: DocumentProperties, extractor: string, isCut: boolean): Extraction;
}

/** An empty list of slides. */
export function createSlides(): Slides {
  const list = createBlockList();
  let chars = 0;
  let firstTitle = '';
  let isCutWithin = false;
  return {
    get isFull() {
      return chars > maxTextChars;
    },
    add({ number, title, blocks, notes, truncated }) {
      isCutWithin ||= truncated;
      const heading = title.replace(/\s+/g, ' ').trim();
      const said = notes.join(' ').replace(/\s+/g, ' ').trim();
      if (heading === '' && blocks.length === 0 && said === '') return;
      firstTitle ||= heading;
      const all = [`## ${heading || `Slide ${number}`}`, ...blocks, ...(said === '' ? [] : [`Notes: ${said}`])];
      for (const block of all) {
        list.addBlock(block);
        chars += block.length + 2;
      }
    },
    toExtraction: (properties, extractor, isCut) =>
      toExtraction(list.blocks, properties, {
        extractor,
        truncated: isCut || isCutWithin || list.truncated || chars > maxTextChars,
        titleIn: () => firstTitle,
      }),
  };
}
