/**
 * What a question is about, where a small corpus speaks of something else: "The quokka weighs 3.5 kilograms" says what is asked of the
 * Eiffel Tower, and does not answer.
 */
import { months } from '../../../../base/text/dates/months.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import type { ReadUnit } from '../../text/passages.ts';
import { readWords } from '../../text/words.ts';

/** "zebra" of "Where does the zebra live?"; "it" and "my dog" may be called anything in a text. */
const subjectAsked =
  /^\W*(?:(?:(?:who|what|when|where|why|how(?: \p{L}+)?) )?(?:does|do|did)|(?:(?:when|where|why) )?(?:is|are|was|were)) (?:(?:the|an?) (?<one>\p{L}+(?: \p{L}+)??)|(?<many>\p{L}{3,}s))(?: (?!(?:to|in|on|of|for|at|from|with|by|about|until)\b)\p{L}+)?\W*$/iu;
/** What a text calls by its name or kind: the animal is a quokka there, and the firm has a name. */
const generic =
  /^(?:animal|bird|plant|thing|place|building|house|company|firm|business|organi[sz]ation|product|device|machine|vehicle|event|person|man|woman|author|book|film|town|city|village|island|country|river)s?$/i;
/** A name with which something is done may be left out of an answer: "with PayPal" asks how one pays. */
const beside =
  /(?:^|\s)(?:with|by|via|using|from|to|through|for|like|as|on|during|until|before|after)\s+(?:the\s+|an?\s+)?$/iu;
/** "in December", which "every day" answers. */
const isMonth = new RegExp(`^(?:${months.join('|')})$`, 'i');
/** What a sentence begins with that says what it is about elsewhere: "We open at 10", "It weighs 3 kg", "Date: 3 May". */
const goesOn =
  /^\W*(?:(?:we|he|she|it|they|i|you|there|this|that|these|those|his|her|its|their|our|my|your)\b|\p{L}+(?: \p{L}+)?:)/iu;
const alternative = /^\s+or\s/iu;

/**
 * Whether the evidence mentions nothing that a question names, or nothing of its subject although the best unit has another one, and of
 * its other terms at most one. `found` is how strongly each term is in the evidence. A question that goes on from the one before is
 * about that.
 */
export function isAboutUnmentioned(question: AnalysedQuestion, found: ArrayLike<number>, best: ReadUnit): boolean {
  const { asked, text, terms, language } = question;
  if (asked !== text || terms.filter((_, term) => found[term]! > 0).length > 1) return false;
  const isMissing = (about: string) => {
    const stems = new Set(readWords(about).map(({ stem }) => stem));
    const own = terms.flatMap(({ stem }, term) => (stems.has(stem) ? [term] : []));
    return own.length > 0 && own.every((term) => found[term] === 0);
  };
  const { one, many = one } = (language === undefined ? subjectAsked.exec(text)?.groups : undefined) ?? {};
  return (
    (many !== undefined && !generic.test(many) && isMissing(many) && hasOwnSubject(best, terms)) ||
    namesAsked(question).some(isMissing)
  );
}

/** Whether a unit names what it is about: not where it goes on, or begins with what is asked ("Built in 1995", "Open daily"). */
function hasOwnSubject({ text, words }: ReadUnit, terms: AnalysedQuestion['terms']): boolean {
  return !goesOn.test(text) && !terms.some(({ stem }) => stem === words[0]?.stem);
}

/** The names that an answer has to speak of. */
function namesAsked({ text, names }: AnalysedQuestion): string[] {
  return names.filter((name) => {
    const at = text.indexOf(name);
    return (
      at > 0 &&
      !isMonth.test(name) &&
      !beside.test(text.slice(0, at)) &&
      !alternative.test(text.slice(at + name.length))
    );
  });
}
