/**
 * An error of the server in the language of the page. The server explains in English: in other languages its code says what
 * went wrong, and its own sentence follows where that says more than the code does, such as which field is invalid.
 */
import type { CitewireError } from '../../client/client.ts';
import { language } from './choice.ts';
import { fill } from './message.ts';
import { describeIssue, describePlacedIssue, describeSentence } from './server-text.ts';
import { t } from './text.ts';

/** Codes whose sentence says no more than the code does. */
const general: readonly string[] = [
  ...['unauthorized', 'not_found', 'rate_limited', 'too_many_searches', 'overloaded', 'server_shutdown'],
  ...['deadline_exceeded', 'upstream_error', 'lost', 'gone', 'internal'],
];

/** What went wrong, in a few words, and what is known of it or may help, in sentences. */
export interface Explanation {
  readonly title: string;
  readonly text: string;
}

interface Failure {
  readonly code?: string | undefined;
  readonly message: string;
  readonly issues?: CitewireError['issues'] | undefined;
}

/** By code. */
const titles: { readonly [code: string]: string } = {
  ...t.failures,
  idempotency_mismatch: t.failures.validation_error,
};
const helps: { readonly [code: string]: string } = t.failureHelp;

/** Every page words a failure by this. `place` words what is wrong with a field. */
export function explain({ code = '', message, issues = [] }: Failure, place = describePlacedIssue): Explanation {
  const title = titles[code] ?? t.failures.unknown;
  // What the browser says of a failed connection explains nothing.
  if (code === 'connection_failed') return { title, text: t.failures.check_connection };
  // The server explains in English, with details such as a limit; in other languages, the code has a sentence of its own.
  const said = (language === 'en' ? undefined : helps[code]) ?? describeSentence(message);
  return { title, text: issues.length > 0 ? issues.map(place).join('\n') : said };
}

/** The same of anything that was thrown, for a line of text; CitewireError has a code. */
export function describeError(error: unknown): string {
  const failure = error as Failure;
  const { code, message, issues: [issue] = [] } = failure;
  const isExplained = code === 'connection_failed' || (language !== 'en' && general.includes(code ?? ''));
  if (isExplained) return fill(t.failures.sentences, { ...explain(failure) });
  if (code === undefined || (language === 'en' && issue === undefined)) return asSentence(describeSentence(message));
  if (language === 'en') return capital(describePlacedIssue(issue!));
  const detail = issue === undefined ? describeSentence(message) : describePlacedIssue(issue);
  if (!Object.hasOwn(titles, code)) return capital(detail);
  return fill(t.failures.detail, { title: titles[code]!, detail });
}

/** Whether what was entered in a field is wrong, and not only the call that sent it. */
export function isOfField(error: unknown): boolean {
  return ((error as Partial<CitewireError>).issues ?? []).length > 0;
}

/** Below the only field of a form, where the name of the field would repeat its label. */
export function describeFieldError(error: unknown): string {
  const { issues = [] } = error as Partial<CitewireError>;
  return issues.length === 1 ? capital(describeIssue(issues[0]!.msg)) : describeError(error);
}

function asSentence(message: string): string {
  return message.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
