/**
 * English words that say nothing about a subject. There are two sets, one within the other: an index loses nothing
 * without any of these words, but the extractive model was trained with "all", "without" and their like as words that
 * may matter in a question.
 */

/** Articles, pronouns, prepositions, conjunctions, auxiliaries and what a tokenizer leaves of contractions ("don't"). */
export const functionWords: ReadonlySet<string> = wordsIn(`
  a about after again against also am an and any are as at be because been before being between both but by can
  could d did do does doing don down during each few for from had has have having he her him his how i if in into
  is it its just ll many may me might more most much must my no not of off on only or other our out over own s
  same shall she should so some such t than that the their them then there these they this those through to too
  under until up us ve very via was we were what when where which while who whom whose why will with would you
  your
`);

/**
 * Words left out of a full-text query; without them it reads a tenth of the index. A query with no other words is
 * searched with them.
 */
export const stopWords: ReadonlySet<string> = new Set([
  ...functionWords,
  ...wordsIn(`
  above all aren below cannot couldn didn doesn either else ever every further get gets getting give given gives
  go got hadn hasn haven here hers herself himself however isn itself know let like m mine myself need nor once
  one ours ourselves please really say shouldn tell theirs themselves thing things upon use used uses using want
  wasn way weren whether within without won wouldn yes yet yours yourself yourselves
`),
]);

function wordsIn(list: string): Set<string> {
  return new Set(list.trim().split(/\s+/));
}
