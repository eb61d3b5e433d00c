/**
 * What a quote decides about a field that is yes or no: "Dogs are not allowed" is no to `dogs_allowed`, and so is "The proposal was
 * rejected" to `proposal_accepted`. A quote about something else decides nothing, nor does one that doubts.
 */
import { formOf } from './support/reading/word-forms.ts';
import { relate } from './support/reading/word-relations.ts';

const particles = String.raw`no|not|never|without|neither|nor|none|cannot|\w+n[\u2019']t|kein\w*|nicht|nie|niemals|ohne|pas|jamais|sans|nunca|sin|senza|non|geen|niet`;
const refusals =
  'excluded?s?|excluding|prohibit(?:s|ed)|forbid(?:s|den)?|banned|unavailable|unsupported|abolished|lacks?|except|discontinued|verboten';
const word = (words: string) => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`, 'iu');
const negated = word(particles);
const refused = word(refusals);
/** "Not prohibited", "never been closed": a negation right before a word turns it around. */
const turning = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${particles})\s(?:\p{L}+\s)?$`, 'iu');
/** Words for something that was, and no longer is. */
const over = /\b(?:was|were|had)\b.*\b(?:until|till)\b|\b(?:formerly|used to|ceased)\b/i;
const doubted = /\b(?:whether|might|perhaps|possibly|allegedly|unclear|disputed)\b|\?\s*$/i;
/** Words of a field's name that do not say what it is about, in addition to function words; set by hand. */
const general = new Set(
  'available supported required permitted accepted enabled offered provided welcome possible existing active'
    .split(' ')
    .map((each) => formOf(each).stem),
);

/**
 * Yes or no; undefined if the quote does not decide. `field` is the words of the field's name; `around` is the text around
 * the quote, which may have them instead.
 */
export function decides(quote: string, field: readonly string[], around: string): boolean | undefined {
  if (doubted.test(quote)) return undefined;
  const said = wordsIn(quote);
  const context = new Set(wordsIn(around).map(({ stem }) => stem));
  const asked = field.map((each) => {
    const { stem, kind } = formOf(each);
    const kinds = said.map((other) => relate(stem, other.stem));
    const isSaid = kinds.includes('same') || kinds.includes('wider');
    return {
      isGeneral: kind !== 'content' || general.has(stem),
      isNamed: isSaid || kinds.includes('opposite') || context.has(stem),
      isOther: !isSaid && kinds.includes('rival'),
      opposite: isSaid ? undefined : said[kinds.indexOf('opposite')],
    };
  });
  const subject = asked.some(({ isGeneral }) => !isGeneral) ? asked.filter(({ isGeneral }) => !isGeneral) : asked;
  const named = subject.filter(({ isNamed }) => isNamed).length;
  // Both words of `free_parking`, and most of a longer name.
  const isAbout = named > 0 && named >= (subject.length <= 2 ? subject.length : subject.length / 2);
  if (!isAbout || subject.some(({ isOther }) => isOther)) return undefined;
  const turned = asked.flatMap(({ opposite }) => opposite?.start ?? []).concat(refused.exec(quote)?.index ?? []);
  if (turned.some((start) => turning.test(quote.slice(0, start)))) return undefined;
  return !(turned.length > 0 || negated.test(quote) || over.test(quote));
}

function wordsIn(text: string): { readonly stem: string; readonly start: number }[] {
  return [...text.matchAll(/[\p{L}\p{M}]+/gu)].map(({ 0: each, index }) => ({
    stem: formOf(each.toLowerCase()).stem,
    start: index,
  }));
}
