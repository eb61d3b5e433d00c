/**
 * Short documents of many kinds, each with templates and the values that a careful reader would fill in, null where the document
 * does not say: values/development.jsonl for tuning and values/held-out.jsonl for what is reported. A line is a document.
 */
import { readFileSync } from 'node:fs';
import type { OutputFormat, StructuredObject } from '../../protocol/index.ts';

export interface ValuesDocument {
  readonly name: string;
  /** "contract", "menu", "timetable", … */
  readonly genre: string;
  /** Its ending says whether the text is Markdown or HTML. */
  readonly file: string;
  readonly text: string;
  readonly templates: readonly {
    readonly prompt: string;
    readonly template: OutputFormat;
    readonly expected: StructuredObject;
  }[];
}

export type Split = 'development' | 'held-out';

/** The documents of one part, in the order of the file. */
export function readValuesDocuments(split: Split): ValuesDocument[] {
  const lines = readFileSync(new URL(`./values/${split}.jsonl`, import.meta.url), 'utf8');
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ValuesDocument);
}
