/**
 * Resolves what a question describes by other things, one step at a time: the sentence that names the founder, then what is
 * said of that person. A step is taken only on a sentence that has the name it starts from and a new one.
 */
import { descriptionsIn, type NestedDescription, replaceDescription } from '../question/nested-descriptions.ts';
import type { Source } from '../text/passages.ts';
import { stemOf } from '../text/words.ts';
import { answerOne } from './answer-one.ts';
import { newNamesIn } from './new-names.ts';
import type { Piece } from './piece.ts';

export interface ResolvedDescriptions {
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
export function resolveDescriptions(prompt: string, sources: readonly Source[]): ResolvedDescriptions {
  let text = prompt;
  let name = '';
  const pieces: Piece[] = [];
  for (let step = 0; step < maxSteps; step += 1) {
    const descriptions = descriptionsIn(text);
    if (descriptions.length === 0) return { text, name, pieces, missing: [] };
    const missing: string[] = [];
    for (const description of descriptions) {
      const found = takeStep(description, sources);
      if (found === undefined) missing.push(description.question);
      else {
        text = replaceDescription(text, description, found.value);
        name = found.value;
        if (!pieces.some(({ units }) => units[0] === found.piece.units[0])) pieces.push(found.piece);
      }
    }
    if (missing.length > 0) return { text, name, pieces, missing };
  }
  return { text, name, pieces, missing: [] };
}

function takeStep(
  description: NestedDescription,
  sources: readonly Source[],
): { value: string; piece: Piece } | undefined {
  const { question, fitting } = answerOne(description.question, sources, description.name);
  const named = fitting.flatMap((each) => {
    const names = newNamesIn(each.unit.text, `${description.question} ${description.name}`);
    return names.length === 0 ? [] : [{ ...each, names }];
  });
  // People have two names, most often; a place has one. A sentence with the word itself names no other person.
  const isPerson = question.kind === 'person';
  const whole = isPerson ? named.filter(({ names }) => names.some((name) => name.includes(' '))) : named;
  const role = question.terms.findIndex(({ stem }) => stem === stemOf(description.role));
  const found = whole.find(({ own }) => role !== -1 && own[role]! > 0) ?? whole[0] ?? named[0];
  if (found === undefined) return undefined;
  const { source, unit, names } = found;
  const value = (isPerson ? names.find((name) => name.includes(' ')) : undefined) ?? names[0]!;
  return { value, piece: { source, units: [unit], words: unit.words.length } };
}
