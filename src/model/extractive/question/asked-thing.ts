/**
 * The thing whose existence a question asks after: "cot" of "Is there a cot for babies?", "MySQL" of "Does it support MySQL?". A text
 * that does not speak of it, by any word, neither says yes nor no. In English only.
 */
import { readWords } from '../text/words.ts';

const verbs =
  'have|sell|offer|do|support|serve|rent|accept|get|provide|stock|include|buy|use|take|bring|set|borrow|speak|need|require';
/** What begins after the thing: "in Spanish", "instead of". */
const end =
  'for|in|with|at|on|from|to|that|which|of|instead|when|if|too|as|or|by|during|after|before|online|there|here|inside|outside|across|along|myself|ourselves|yourself|itself|too|home|back|off|out|up|down|away|again|yet|already|now|every|each|per';
const asked = new RegExp(
  String.raw`^\W*(?:and |so )?(?:(?:is|are|was|were) there|(?:do|does|did|can|could|may) (?:you|they|it|we|I|the \w+|\p{Lu}\w+) (?:${verbs})) (?:an? |any |some |the |my |our )?(.*?)(?=\s(?:${end})\b|[?.,;]|$)`,
  'iu',
);

/** The stem of the thing's name, the last word of it; undefined for questions that do not ask whether it exists. */
export function thingAskedFor(question: string): string | undefined {
  const name = asked.exec(question)?.[1];
  return name === undefined || /^(?:some|any|every|no)(?:thing|one|body|where)\b/i.test(name)
    ? undefined
    : readWords(name).at(-1)?.stem;
}
