/**
 * Numbers after a sign: `†2` where a word ends, and `#2` after a sentence. Not `issue #2`, `C#2`, a footnote, a row of a table or a day of
 * death (`†2 May 1931`).
 */
import { endsSentence } from '../../../base/text/sentences/sentence-ends.ts';
import { judgeNumber } from './lone-numbers.ts';
import type { Parsed, Place } from './marker-place.ts';

const sign = /^[#†](\d{1,2})(?![\p{L}\d_-])/u;
const signBegun = /^[#†]\d{0,2}$/;
const death = /^†\d{1,2}\.?\s?(?:\d|\p{L}{1,12}\.?\s\d{3,4})/u;
const deathBegun = /^†\d{1,2}\.?\s?(?:\p{L}{1,12}\.?\s?\d{0,3})?$/u;
/** Words after which a number with this sign is not a marker. */
const counted =
  /(?:^|[^\p{L}])(?:the|a|an|at|to|of|in|on|for|as|is|was|are|were|be|with|and|or|by|from|ranks?|ranked|reached|hit|peaked|issues?|pr|prs|bugs?|tickets?|pull requests?|numbers?|tracks?|items?|players?|slots?|pins?|tips?|rules?|steps?|lines?|spots?|seeds?|teams?|\p{Lu}\p{L}*)$/u;

/** `†2`, and `#2` after a sentence or, once one was found there, at the end of another. */
export function parseSign(place: Place): Parsed {
  const { line, at, before, isWhole, style, afterMarker } = place;
  const rest = line.slice(at, at + 24);
  if (!isWhole && signBegun.test(rest)) return 'more';
  const found = sign.exec(rest);
  const text = before.trimEnd();
  if (found === null || /^\s*\|/.test(before) || text === '') return undefined;
  const marked = { end: at + found[0].length, numbers: [Number(found[1])] };
  if (rest.startsWith('†')) {
    if (death.test(rest)) return undefined;
    if (!isWhole && deathBegun.test(rest)) return 'more';
    const isKnown = marked.numbers.every((n) => n >= 1 && n <= style.known);
    return isKnown && !style.hasBrackets && /[\p{L}\p{N}.!?…"'”’»)\]]$/u.test(text) ? marked : undefined;
  }
  const isAfterSentence = afterMarker || endsSentence(text);
  if (!isAfterSentence && (!style.hasHashes || counted.test(text))) return undefined;
  const judged = judgeNumber(place, marked);
  if (judged !== undefined && judged !== 'more') style.hasHashes = true;
  return judged;
}
