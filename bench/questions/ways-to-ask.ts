/** How people put questions that a corpus has in their plain form. */

/** With words around it that ask nothing. */
export function politely(question: string): string {
  return `Hi! Could you please tell me: ${question[0]!.toLowerCase()}${question.slice(1)} Thanks a lot!`;
}

/** With two letters of its longest word exchanged, if that has five. */
export function misspelt(question: string): string {
  const [longest = ''] = (question.match(/\p{L}+/gu) ?? []).sort((a, b) => b.length - a.length);
  const middle = Math.floor(longest.length / 2);
  const exchanged = `${longest.slice(0, middle - 1)}${longest[middle]}${longest[middle - 1]}${longest.slice(middle + 1)}`;
  return longest.length < 5 ? question : question.replace(longest, exchanged);
}

/** With the name of the corpus that it is about, as its files are called in a folder of several. */
export function named(question: string, corpus: string): string {
  return `${question.replace(/[?.\s]+$/, '')}, according to the ${corpus.replaceAll('-', ' ')}?`;
}

/** Two questions in one: "What does it cost and can I pay by card?" */
export function inOne(first: string, question: string): string {
  const and = conjunctions.find(([begins]) => begins.test(question))?.[1] ?? 'and';
  return `${first.replace(/[?.\s]+$/, '')} ${and} ${question[0]!.toLowerCase()}${question.slice(1)}`;
}

/** "And" in the language of a question, by its first word. */
const conjunctions: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:ab|bis|brauche|darf|gibt|hat|ist|kann|muss|sind|um|wann|warum|was|welche|wem|wen|wer|wie|wo|(?:für|in|mit|unter|von) w\p{L}+)(?!\p{L})/iu,
    'und',
  ],
  [/^(?:à|combien|comment|est-ce|où|peut|pourquoi|quand|que|qui)/i, 'et'],
  [/^(?:¿|cuál|cuándo|cuánt|cómo|dónde|hay|puedo|qué|quién|se)/i, 'y'],
];
