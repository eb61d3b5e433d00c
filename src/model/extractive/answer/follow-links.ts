/**
 * Follows what a question describes by other things, one step at a time: the sentence that names the founder, then what is
 * said of that person. A step is taken only on a sentence that has the name it starts from and a new one.
 */
import { type Link, linksIn, replaceLink } from '../question/links.ts';
import type { Source } from '../text/passages.ts';
import { answerOne } from './answer-one.ts';
import { newNamesIn } from './new-names.ts';
import type { Piece } from './piece.ts';

export interface FollowedLinks {
  /** The question with the names that were found in the place of what it describes, and the last of them. */
  readonly text: string;
  readonly name: string;
  /** The sentences that name them, in their order. */
  readonly pieces: readonly Piece[];
  /** What to search for, for the steps that could not be taken yet. */
  readonly missing: readonly string[];
}

/** Steps of one chain; set by hand. */
const maxSteps = 6;

/** Takes as many steps as the sources allow. */
export function followLinks(prompt: string, sources: readonly Source[]): FollowedLinks {
  let text = prompt;
  let name = '';
  const pieces: Piece[] = [];
  for (let step = 0; step < maxSteps; step += 1) {
    const links = linksIn(text);
    if (links.length === 0) return { text, name, pieces, missing: [] };
    const missing: string[] = [];
    for (const link of links) {
      const found = takeStep(link, sources);
      if (found === undefined) missing.push(link.question);
      else {
        text = replaceLink(text, link, found.value);
        name = found.value;
        if (!pieces.some(({ units }) => units[0] === found.piece.units[0])) pieces.push(found.piece);
      }
    }
    if (missing.length > 0) return { text, name, pieces, missing };
  }
  return { text, name, pieces, missing: [] };
}

function takeStep(link: Link, sources: readonly Source[]): { value: string; piece: Piece } | undefined {
  const { question, fitting } = answerOne(link.question, sources, link.name);
  for (const { source, unit } of fitting) {
    const names = newNamesIn(unit.text, `${link.question} ${link.name}`);
    const value = (question.kind === 'person' ? names.find((name) => name.includes(' ')) : undefined) ?? names[0];
    if (value !== undefined) return { value, piece: { source, units: [unit], words: unit.words.length } };
  }
  return undefined;
}
