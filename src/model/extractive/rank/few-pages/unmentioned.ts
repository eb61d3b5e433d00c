/**
 * What a question is about, where a small corpus speaks of something else: "The quokka weighs 3.5 kilograms" says what is asked of the
 * Eiffel Tower, and is no answer.
 */
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { readWords } from '../../text/words.ts';

/** "zebra" of "Where does the zebra live?"; "it" and "my dog" may be called anything in a text. */
const subjectAsked =
  /^\W*(?:(?:(?:who|what|when|where|why|how(?: \p{L}+)?) )?(?:does|do|did)|(?:(?:when|where|why) )?(?:is|are|was|were)) (?:(?:the|an?) (?<one>\p{L}+(?: \p{L}+)??)|(?<many>\p{L}{3,}s))(?: \p{L}+)?\W*$/iu;
/** A name with which something is done may be left out of an answer: "with PayPal" asks how one pays. */
const beside = /(?:^|\s)(?:with|by|via|using|from|to|through|for|like|as)\s+(?:the\s+|an?\s+)?$/iu;
const alternative = /^\s+or\s/iu;

/**
 * Whether the evidence mentions nothing that a question names, or nothing of its subject, and of its other terms at most one. `found` is
 * how strongly each term is in the evidence. A question that goes on from the one before is about that.
 */
export function isAboutUnmentioned(question: AnalysedQuestion, found: ArrayLike<number>): boolean {
  const { asked, text, terms, language } = question;
  if (asked !== text || terms.filter((_, term) => found[term]! > 0).length > 1) return false;
  const isMissing = (about: string) => {
    const stems = new Set(readWords(about).map(({ stem }) => stem));
    const own = terms.flatMap(({ stem }, term) => (stems.has(stem) ? [term] : []));
    return own.length > 0 && own.every((term) => found[term] === 0);
  };
  const { one, many = one } = (language === undefined ? subjectAsked.exec(text)?.groups : undefined) ?? {};
  return (many !== undefined && isMissing(many)) || namesAsked(question).some(isMissing);
}

/** The names that an answer has to speak of. */
function namesAsked({ text, names }: AnalysedQuestion): string[] {
  return names.filter((name) => {
    const at = text.indexOf(name);
    return at > 0 && !beside.test(text.slice(0, at)) && !alternative.test(text.slice(at + name.length));
  });
}
