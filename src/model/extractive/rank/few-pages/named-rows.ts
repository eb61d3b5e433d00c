/**
 * Rows of a table that a question names: "No sound" of "I have no sound, what can I do?". Words that change the meaning of others count,
 * so that the row "No picture, but sound" is not named.
 */
import { stopStems } from '../../question/analyse.ts';
import { readWords } from '../../text/words.ts';

/**
 * A function that says whether the first cell of a row, whose cells are divided by " | ", is in the question. A single word names it only
 * where the row has a value of the kind that is asked for.
 */
export function createRowCheck(question: string): (row: string, hasValue: boolean) => boolean {
  const asked = new Set(readWords(question).map(({ stem }) => stem));
  return (row, hasValue) => {
    const [cell = ''] = row.split(' | ', 1);
    const stems = readWords(cell).map(({ stem }) => stem);
    if (!hasValue && !/\S\s+\S/.test(cell)) return false;
    return stems.some((stem) => !stopStems.has(stem)) && stems.every((stem) => asked.has(stem));
  };
}
