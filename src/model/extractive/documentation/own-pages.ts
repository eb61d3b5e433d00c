/**
 * Whose documentation a question is asked of. Who has just installed the server asks it about itself, and seldom names it: "How do
 * I change the port?". Its index then has the documentation of all installed packages, most of which can do something of that
 * kind, so a question that names none of them is asked of this one's pages first.
 */
import { ownPackage, ownPath, packageOf } from '../../../base/own-documentation.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { Source } from '../text/passages.ts';
import { readWords, stemOf } from '../text/words.ts';

/** What says that a question is about what the reader has before them: "How do I stop it?", "Is my key stored?". */
const saysIt = /\b(?:it|its|my|this server)\b/i;

/** What asks whether this server can do something, whatever it names besides: "Does it have an OpenAI-compatible API?" */
const asksOfIt = /^(?:does|do|can|could|will|is|has) (?:it|you|this server)\b/i;

/** The own pages among the sources; none where the question is about another of their packages. */
export function ownPages(question: AnalysedQuestion, sources: readonly Source[]): readonly Source[] {
  return isAboutAnother(question, sources) ? [] : sources.filter(isOwn);
}

/** Whether what other packages say cannot be meant. */
export function isAboutThisServer(question: AnalysedQuestion, sources: readonly Source[]): boolean {
  return saysOwnName(question) || (saysIt.test(question.text) && !isAboutAnother(question, sources));
}

function saysOwnName({ stems }: AnalysedQuestion): boolean {
  return stems.has(stemOf(ownPackage));
}

/** The pages of the packages that the question names; all if it names none. */
export function namedPages(question: AnalysedQuestion, sources: readonly Source[]): readonly Source[] {
  const named = sources.filter((source) => isNamed(question, source));
  return named.length === 0 ? sources : named;
}

function isAboutAnother(question: AnalysedQuestion, sources: readonly Source[]): boolean {
  // "How do I use Citewire from TypeScript?"
  if (asksOfIt.test(question.text) || saysOwnName(question)) return false;
  return sources.some((source) => !isOwn(source) && isNamed(question, source));
}

/** Whether the question has the name of the package that a page is of. */
function isNamed({ stems }: AnalysedQuestion, { title }: Source): boolean {
  const name = readWords(packageOf(title)).map(({ stem }) => stem);
  return name.length > 0 && name.every((stem) => stems.has(stem));
}

function isOwn({ url }: Source): boolean {
  return url.includes(ownPath);
}
