/**
 * Which product a question is about, of an index that holds the folders of several: with the README of one titled "Stowe", a question
 * that says "stowe" is not answered from the folder of another, whose pages may say the same of theirs.
 */
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { Source } from '../text/passages.ts';
import { readWords } from '../text/words.ts';

/** The first page of a folder. */
const firstPage = /^(.*\/)(?:readme|index)(?:\.\w+)?$/i;

/** The sources in folders whose first page has a title that the question says; all if it says none. */
export function inNamedFolders({ stems }: AnalysedQuestion, sources: readonly Source[]): readonly Source[] {
  const folders = sources.flatMap(({ url, title }) => {
    const folder = firstPage.exec(url)?.[1];
    if (folder === undefined) return [];
    const name = readWords(title);
    return name.length > 0 && name.every(({ stem }) => stems.has(stem)) ? [folder] : [];
  });
  return folders.length === 0 ? sources : sources.filter(({ url }) => folders.some((folder) => url.startsWith(folder)));
}
