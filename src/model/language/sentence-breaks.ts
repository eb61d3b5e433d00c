/**
 * Where, in what a model writes, a sentence ends or a marker is, after which a status or a thought may begin. Neither abbreviations nor
 * what follows are looked at: what may begin there has marks of its own.
 */
import { endsSentence } from '../../base/text/sentences/sentence-ends.ts';

/** Each such place of a line. */
export const sentenceBreak = /(?:[.!?…]["'”’)*_]{0,3}|\])(?=[ \t]|$)|[。！？]/g;

/** Whether a text ends at such a place. */
export function endsWithBreak(text: string): boolean {
  return endsSentence(text) || /\]["'”’)*_]{0,3}$/.test(text);
}
