/** Pages and questions of a file whose lines are pages (`id`, `title`, `text`) and questions (`question`, `pages`). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface RealPage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface RealQuestion {
  readonly question: string;
  /** The ids of the pages that answer it; empty where nothing does. */
  readonly pages: readonly string[];
}

/** Reads the file; throws when it is not of this form. */
export function readReal(file: string): { readonly pages: RealPage[]; readonly questions: RealQuestion[] } {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  const all: ({ kind: string } & Partial<RealPage> & Partial<RealQuestion>)[] = lines.map((line) => JSON.parse(line));
  return {
    pages: all.filter(({ kind }) => kind === 'page') as unknown as RealPage[],
    questions: all.filter(({ kind }) => kind === 'question') as unknown as RealQuestion[],
  };
}

/** Writes the pages as Markdown into the folder `pages` of `folder`, named by their ids. */
export function writePages(folder: string, pages: readonly RealPage[]): void {
  mkdirSync(join(folder, 'pages'), { recursive: true });
  for (const { id, title, text } of pages) writeFileSync(join(folder, 'pages', `${id}.md`), `# ${title}\n\n${text}\n`);
}

/** At most `max` of them, spread over all. */
export function spread<Item>(all: readonly Item[], max: number): Item[] {
  const step = Math.max(1, all.length / max);
  return Array.from({ length: Math.min(max, all.length) }, (_, at) => all[Math.floor(at * step)]!);
}
