/**
 * Words that ask, by what they ask for, in the languages that questions are read in: English, German, French, Spanish, Italian, Dutch
 * and Portuguese. Words that mostly do something else are left out: Italian "perché" is "because", too, and Dutch "wie" is German for
 * "how".
 */
const words = {
  who: 'who|whom|whose|wer|wem|wen|wessen|qui|quién(?:es)?|chi|quem',
  what: 'what|was|que|qué|cosa|wat',
  which: 'which|welche[mnrs]?|quel(?:le)?s?|cuál(?:es)?|qual[ei]?|quais|welke?',
  when: 'when|wann|quand|cuándo|quando|wanneer',
  where: 'where|wo|wohin|woher|où|dónde|dove|waar|onde',
  how: 'how|wie|comment|combien|cómo|cuánt[oa]s?|come|quant[oiae]|hoe|hoeveel|como',
  why: 'why|warum|pourquoi|waarom',
} as const;

type Asked = keyof typeof words;

/** The source of a pattern for the words that ask for one of these, by default for any; for the flags `i` and `u`. */
export function questionWords(...asked: Asked[]): string {
  return (asked.length > 0 ? asked.map((each) => words[each]) : Object.values(words)).join('|');
}
