/** Scores answers by exact facts and citations, without a judge. */
import type { Citation } from '../../protocol/index.ts';
import type { Fact } from './chains.ts';
import type { Page } from './page.ts';
import type { Question } from './question.ts';

export interface Answer {
  readonly text: string;
  readonly status: string;
  readonly citations: readonly Pick<Citation, 'url' | 'quote'>[];
  /** The answer to the question before, if there was one. */
  readonly previous: string;
}

export interface Score {
  /** It holds all facts and nothing wrong; or it is refused because nobody says it. */
  readonly right: boolean;
  /** And each fact is in a quote of a page that says it. */
  readonly cited: boolean;
  readonly refused: boolean;
  /** The share of the facts that it holds and cites, 0 to 1. */
  readonly complete: number;
}

/** `urlOf` is the address of a page. */
export function score(question: Question, answer: Answer, urlOf: (page: Page) => string): Score {
  const refused = answer.status === 'not_found';
  if (question.facts.length === 0) return { right: refused, cited: refused, refused, complete: Number(refused) };
  const { facts, wrong } = expected(question, answer.previous);
  const says = (text: string, value: string) => flatten(text).includes(flatten(value));
  const right =
    facts.length > 0 &&
    facts.every(({ value }) => says(answer.text, value)) &&
    !wrong.some((value) => says(answer.text, value)) &&
    !(question.later ?? []).some((value) => facts.some((fact) => comesBefore(answer.text, value, fact.value)));
  const isCited = ({ value, pages }: Fact) =>
    answer.citations.some(({ url, quote }) => says(quote, value) && pages.some((page) => urlOf(page) === url));
  const held = facts.filter((fact) => says(answer.text, fact.value) && isCited(fact));
  const complete = facts.length === 0 ? 0 : held.length / facts.length;
  return { right, cited: right && facts.every(isCited), refused, complete };
}

function comesBefore(text: string, value: string, fact: string): boolean {
  const [at, of] = [flatten(text).indexOf(flatten(value)), flatten(text).indexOf(flatten(fact))];
  return at !== -1 && at < of;
}

/** What "the second one you named" is depends on the answer before: the other ones are wrong. */
function expected({ previous, chains, facts, wrong }: Question, before: string): Pick<Question, 'facts' | 'wrong'> {
  if (previous === undefined) return { facts, wrong };
  const named = previous.names
    .filter((name) => before.includes(name))
    .sort((a, b) => before.indexOf(a) - before.indexOf(b));
  const at = chains.findIndex(({ start }) => start === named[1]);
  const meant = facts[at];
  if (meant === undefined) return { facts: [], wrong };
  return { facts: [meant], wrong: facts.filter((fact) => fact !== meant).map(({ value }) => value) };
}

/** Without Markdown, markers and differences of space and case. */
function flatten(text: string): string {
  return ` ${text
    .replace(/\[\d+\]|[*_`]/g, ' ')
    .replace(/[^\p{L}\p{N},]+|,(?!\d)/gu, ' ')
    .trim()
    .toLowerCase()} `;
}
