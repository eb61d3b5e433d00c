/**
 * What the server says of a step, in the language of the page. It says it in English: titles by the kind of the step, and summaries in
 * clauses that mostly count something, each of which has a message of its own. What is not known stays as it came.
 */
import { formatDay } from '../../../components/format.ts';
import { language, locale } from '../../../language/choice.ts';
import { counted, fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';

/** Steps that are named otherwise than the others of their kind, by their English title. */
const titled: readonly (readonly [RegExp, string])[] = [
  [/^Waiting for the index$/, t.stepTitles.waiting],
  [/^Checking for completeness$/, t.stepTitles.completeness],
  [/^Filling the template$/, t.stepTitles.template],
];

const s = t.stepSummaries;

/** By the English clause, whose groups are its numbers. */
const clauses: readonly (readonly [RegExp, (first: number, second: number) => string])[] = [
  [/^(\d+) passages?$/, (count) => counted(s.passages, count)],
  [
    /^(\d+) passages? (?:on|from) (\d+) pages?$/,
    (count, pages) => `${counted(s.passages, count)} ${counted(s.onPages, pages)}`,
  ],
  [/^(\d+) pages? on the web$/, (count) => counted(s.onWeb, count)],
  [/^(\d+) facts? noted$/, (count) => counted(s.facts, count)],
  [/^(\d+) of (\d+) pages? read$/, (done, count) => counted(s.read, count, { done })],
  [/^(\d+) of (\d+) values? found$/, (done, count) => counted(s.values, count, { done })],
  [/^(\d+) characters?$/, (count) => counted(s.characters, count)],
  [/^(\d+) citations?$/, (count) => counted(s.citations, count)],
  [/^(\d+) quotes? found in (?:its source|their sources)$/, (count) => counted(s.quotes, count)],
  [/^(\d+) citation markers? dropped$/, (count) => counted(s.dropped, count)],
  [/^(\d+) of them contradicted$/, (count) => counted(s.contradicted, count)],
  [/^enough to answer$/, () => s.enough],
  [/^more is needed$/, () => s.more],
  [/^no further queries$/, () => s.none],
  [/^complete$/, () => s.complete],
  [/^the index is complete$/, () => s.indexComplete],
  [/^(\d+) of (\d+) pages are indexed$/, (done, count) => counted(s.indexed, count, { done })],
  [/^Indexing$/, () => s.indexing],
];

/** What a step is called. */
export function titleOf({ kind, title }: { readonly kind: string; readonly title: string }): string {
  if (language === 'en') return title;
  const titles: { readonly [kind: string]: string } = t.stepTitles;
  return titled.find(([pattern]) => pattern.test(title))?.[1] ?? titles[kind] ?? title;
}

/** What the server says of a step. */
interface Said {
  readonly kind: string;
  readonly summary?: string | undefined;
  readonly message?: string | undefined;
  readonly error?: string | undefined;
}

/** What a step came to, or does at present. Why it failed is said below the answer, in the language of the page. */
export function summaryOf({ kind, summary, message, error }: Said): string | undefined {
  const said = summary ?? message;
  if (language === 'en') return error ?? said;
  if (error !== undefined || said === undefined) return undefined;
  if (kind === 'plan') return translatePlan(said);
  const titled = said.split(': ').map(translateClauses);
  if (titled.includes(undefined)) return said;
  return (titled as string[]).reduce((title, detail) => fill(t.failures.detail, { title, detail }));
}

function translateClauses(clauses: string): string | undefined {
  const translated = clauses.split(', ').map(translateClause);
  return translated.includes(undefined) ? undefined : translated.join(language === 'zh' ? '，' : ', ');
}

function translateClause(clause: string): string | undefined {
  for (const [pattern, write] of clauses) {
    const found = pattern.exec(clause);
    if (found !== null) return write(Number(found[1]), Number(found[2]));
  }
  return undefined;
}

const p = t.planned;
const languageNames = new Intl.DisplayNames(locale, { type: 'language' });

/** What follows the queries. */
const constraints: readonly (readonly [RegExp, (value: string) => string])[] = [
  [/^without (.+)$/, (sources) => fill(p.without, { sources })],
  [/^only (.+)$/, (sources) => fill(p.only, { sources })],
  [/^in ([a-z]{2})$/, (code) => fill(p.language, { language: languageNames.of(code) ?? code })],
  [/^to (\d{4}-\d\d-\d\d)$/, (date) => fill(p.to, { date: formatDay(`${date}T00:00`) })],
  [/^from (\d{4}-\d\d-\d\d)$/, (date) => fill(p.from, { date: formatDay(`${date}T00:00`) })],
];

/** The queries, as they are, and what the question is restricted to. The first part is always a query. */
function translatePlan(said: string): string {
  const [first = '', ...others] = said.split(' · ');
  const translated = others.map((part) => {
    for (const [pattern, write] of constraints) {
      const value = pattern.exec(part)?.[1];
      if (value !== undefined) return write(value);
    }
    return part;
  });
  return [first, ...translated].join(' · ');
}
