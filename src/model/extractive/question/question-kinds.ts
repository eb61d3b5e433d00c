/** The kinds of answers that a question may ask for. */

/** What a question asks for; the order is the one of the trained weights. */
export const questionKinds = [
  'person',
  'place',
  'date',
  'year',
  'count',
  'amount',
  'which',
  'what',
  'reason',
  'manner',
  'yesno',
  'define',
  'none',
] as const;
export type QuestionKind = (typeof questionKinds)[number];
