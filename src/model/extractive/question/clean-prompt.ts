/**
 * A prompt without instructions about the form of the answer ("in one sentence", "please") and without most of what was pasted
 * together with a question.
 */
import { condensePrompt } from './condense.ts';
import { formOnly, leadIn, tail } from './courtesies.ts';

/** Characters of a prompt that are read. */
const maxPrompt = 8000;

/** The prompt on one line without instructions about the form of the answer; empty only for an empty prompt. */
export function cleanPrompt(prompt: string): string {
  const whole = keepQuestions(condensePrompt(prompt).replace(/\s+/g, ' ').trim());
  const sentences = whole.match(/[^.?!]+(?:[.?!]+(?=\s|$)|[.?!](?=\S)[^.?!]*)*[.?!]*/g) ?? [whole];
  const content = sentences.filter((sentence) => !formOnly.test(sentence.trim()));
  const kept = (content.length > 0 ? content : sentences).join(' ').replace(/\s+/g, ' ').trim();
  const bare = kept
    .replace(leadIn, '')
    .replace(tail, '$1')
    .replace(/[.!]+$/, '')
    .trim();
  return bare === '' ? whole : bare;
}

/**
 * Pieces of at most 1,000 characters that end in marks before a space or the end. Each character is looked at a few times
 * only, since a prompt may have 40,000 without any mark, or as many marks.
 */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const { index } of text.matchAll(/[.?!](?=\s|$)/g)) {
    let marks = index;
    while (isMark(text[marks - 1])) marks -= 1;
    let start = marks;
    while (start > 0 && marks - start < 1_000 && !isMark(text[start - 1])) start -= 1;
    if (start < marks) sentences.push(text.slice(start, index + 1));
  }
  return sentences;
}

function isMark(character: string | undefined): boolean {
  return character === '.' || character === '?' || character === '!';
}

/** Of a text that was pasted together with a question, the question: the last ones in it, or its beginning and its end. */
function keepQuestions(text: string): string {
  if (text.length <= maxPrompt) return text;
  let questions = '';
  for (const sentence of sentencesOf(text).reverse()) {
    if (questions.length + sentence.length > maxPrompt) break;
    if (sentence.endsWith('?')) questions = `${sentence.trim()} ${questions}`;
  }
  const half = Math.floor(maxPrompt / 2);
  return questions === '' ? `${text.slice(0, half)} ${text.slice(-half)}` : questions.trim();
}
