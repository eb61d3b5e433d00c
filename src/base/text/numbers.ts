/** English words for numbers, lower case. */

/** The words for 0 to 20: the index of a word is its value. */
export const smallNumbers =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** The words for 20, 30 … 90. */
export const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** The words for 1st to 10th: the index of a word is one less than its number. */
export const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** What a word after a number multiplies it by: "3 million", "two dozen". */
export const multipliers: Readonly<Record<string, number>> = {
  dozen: 12,
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};
