/**
 * A prompt without instructions about the form of the answer ("in one sentence", "please") and without most of what was pasted
 * together with a question.
 */
import { condensePrompt } from './condense.ts';
import { formOnly, leadIn, tail } from './courtesies.ts';

/** Characters of a prompt that are read. */
const maxPrompt = 8000;
/** Characters of a sentence that are kept of a longer prompt, its last ones; set by hand. */
const maxQuestion = 1_000;

/** The prompt on one line without instructions about the form of the answer; empty only for an empty prompt. */
export function cleanPrompt(prompt: string): string {
  const whole = keepQuestions(condensePrompt(prompt).replace(/\s+/g, ' ').trim());
  const sentences = promptSentences(whole);
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
 * The sentences of a prompt, without those that are only marks. A mark ends one whatever follows, since prompts are typed without
 * capitals.
 */
function promptSentences(prompt: string): string[] {
  return prompt.split(/(?<=[.?!]) /).filter((sentence) => /[^.?! ]/.test(sentence));
}

/** Of a text that was pasted together with a question, the question: the last ones in it, or its beginning and its end. */
function keepQuestions(text: string): string {
  if (text.length <= maxPrompt) return text;
  let questions = '';
  for (const sentence of promptSentences(text).reverse()) {
    const end = sentence.slice(-maxQuestion).trim();
    if (questions.length + end.length > maxPrompt) break;
    if (end.endsWith('?')) questions = `${end} ${questions}`;
  }
  const half = Math.floor(maxPrompt / 2);
  return questions === '' ? `${text.slice(0, half)} ${text.slice(-half)}` : questions.trim();
}
