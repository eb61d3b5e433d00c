/**
 * Units that a question names by what they begin with: the row "No sound" of "I have no sound, what can I do?", "To top up: …" of
 * "How do I top up?". Words that change the meaning of others count, so that the row "No picture, but sound" is not named.
 */
import { type AnalysedQuestion, stopStems } from '../../question/analyse.ts';
import type { ReadUnit } from '../../text/passages.ts';
import { readWords } from '../../text/words.ts';

/** "Salary: £46,500 a year" */
const labelled = /^(\p{Lu}[^:.!?]{1,40}): /u;

/**
 * A function that says whether the first cell of a row, or what is before the colon of a line, is in the question. A single word
 * names it only where it has a value of the kind that is asked for.
 */
export function createNameCheck(
  question: string,
): (unit: Pick<ReadUnit, 'kind' | 'text'>, hasValue: boolean) => boolean {
  const asked = new Set(readWords(question).map(({ stem }) => stem));
  return ({ kind, text }, hasValue) => {
    const [name = ''] = kind === 'row' ? text.split(' | ', 1) : (labelled.exec(text)?.slice(1) ?? []);
    const stems = stemsOf(name);
    if (!hasValue && !/\S\s+\S/.test(name)) return false;
    return stems.some(isTelling) && stems.every((stem) => asked.has(stem));
  };
}

/** "top up the pressure" of "How do I top up the pressure?" */
const asksHow = /^\W*(?:and |so )?how (?:(?:do|can|should|must|would|could) (?:i|you|we|they|one)|to) (.+)/i;
/** "top up" of "To top up: open the valve.", "Reset" of "Reset: hold the button." */
const purpose = /^(?:In order )?(?:To (\p{L}[^:,.;]{1,60})(?:: |, )|(\p{L}[^:,.;]{1,60}): )(?=\p{L})/u;
const saysNot = /(?<!\p{L})(?:not|no|never|cannot|without)(?!\p{L})|n['’]t(?!\p{L})/iu;
/** "I took too many" of "What should I do if I took too many?" */
const askedCondition =
  /\b(?:if|when) ((?:i|you|we|they|he|she|it|(?:my|the|an?|one|someone|somebody) ?\p{L}*) .+?)(?=[,;?.!]|$)/iu;
/** "you take too many tablets" of "If you take too many tablets, call the poison line." */
const saidCondition = /^(?:If|When|Should) (.{3,120}?)(?:, |: )/u;
const pronounStems: ReadonlySet<string> = new Set(
  readWords('i you we they he she it my your our their the a an one someone somebody').map(({ stem }) => stem),
);

/**
 * A function that says whether a text begins with what a question asks how to do, or with the condition that it asks about. English
 * only.
 */
export function createInstructionCheck({ asked, language }: AnalysedQuestion): (text: string) => boolean {
  const wanted = language === undefined ? tellingStemsOf(asksHow.exec(asked)?.[1]) : [];
  const condition = language === undefined ? tellingStemsOf(askedCondition.exec(asked)?.[1]) : [];
  const isNegated = saysNot.test(askedCondition.exec(asked)?.[1] ?? '');
  return (text) => {
    const done =
      wanted.length === 0
        ? []
        : tellingStemsOf(
            purpose
              .exec(text)
              ?.slice(1)
              .find((each) => each !== undefined),
          );
    if (done.length > 0 && done[0] === wanted[0] && done.every((stem) => wanted.includes(stem))) return true;
    if (!condition.some(isTelling)) return false;
    const said = saidCondition.exec(text)?.[1] ?? '';
    const stems = tellingStemsOf(said);
    return saysNot.test(said) === isNegated && condition.every((stem) => stems.includes(stem));
  };
}

/** Without those for who does it. */
function tellingStemsOf(text = ''): string[] {
  return stemsOf(text).filter((stem) => !pronounStems.has(stem));
}

function stemsOf(text: string): string[] {
  return readWords(text).map(({ stem }) => stem);
}

function isTelling(stem: string): boolean {
  return !stopStems.has(stem);
}
