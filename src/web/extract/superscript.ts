/** Raised numbers as superscript characters: without their place, 10³ would be read as 103, and m² as m2. */

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const isPower = /^(?:[-+−–]?\d{1,20}|\d[-+−–])$/;
/** A power that has no characters of its own: 2^0.5. */
const isFraction = /^[-+−–]?\d{1,9}[.,/]\d{1,9}$/;

/**
 * A raised text that follows `before`: a whole number after a letter, a digit or `)` as superscript characters, a fraction after
 * a digit with `^`; any other text, such as `st` and `[1]`, as it is.
 */
export function superscript(raised: string, before: string): string {
  const text = raised.trim();
  if (!/[\p{L}\p{N})]$/u.test(before) || raised.startsWith(' ')) return raised;
  const after = raised.slice(text.length);
  if (isPower.test(text)) return [...text].map(raisedCharacter).join('') + after;
  return isFraction.test(text) && /\p{N}$/u.test(before) ? `^${text}${after}` : raised;
}

function raisedCharacter(character: string): string {
  if (character === '+') return '⁺';
  return superscripts[Number.parseInt(character, 10)] ?? '⁻';
}

/** Puts together a text that documents have in runs, some of them raised; a raised number may be in several of them. */
export interface RunWriter {
  /** Takes the text of a run, and returns what to add to the text so far. */
  write(text: string, isRaised: boolean): string;
  /** What is still to be added, as at the end of a paragraph. */
  flush(): string;
}

/** A writer for one text. */
export function createRunWriter(): RunWriter {
  let raised = '';
  /** The last characters that were written, enough for a letter of two code units. */
  let before = '';
  const remember = (text: string) => {
    before = (before + text).slice(-2);
    return text;
  };
  const flush = () => {
    const text = raised === '' ? '' : remember(superscript(raised, before));
    raised = '';
    return text;
  };
  return {
    write(text, isRaised) {
      if (!isRaised) return flush() + remember(text);
      raised += text;
      return '';
    },
    flush,
  };
}
