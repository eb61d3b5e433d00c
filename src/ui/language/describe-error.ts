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

/** Of anything that was thrown; CitewireError has a code. What the browser says of a failed connection explains nothing. */
export function describeError(error: unknown): string {
  const { code, message, issues = [] } = error as Partial<CitewireError> & { readonly message: string };
  const titles: { readonly [code: string]: string } = t.failures;
  if (code === 'connection_failed') return t.failures.connection_failed;
  const [issue] = issues;
  if (code === undefined || (language === 'en' && issue === undefined)) return asSentence(describeSentence(message));
  if (language === 'en') return capital(describePlacedIssue(issue!));
  const detail = issue === undefined ? describeSentence(message) : describePlacedIssue(issue);
  if (!Object.hasOwn(titles, code)) return capital(detail);
  const title = titles[code]!;
  return general.includes(code) ? title : fill(t.failures.detail, { title, detail });
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
