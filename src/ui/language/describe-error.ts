/**
 * An error of the server in the language of the page. The server explains in English: in other languages its code says what
 * went wrong, and its own sentence follows where that says more than the code does, such as which field is invalid.
 */
import { language } from './choice.ts';
import { fill } from './message.ts';
import { t } from './text.ts';

/** Codes whose sentence says no more than the code does. */
const general: readonly string[] = [
  ...['unauthorized', 'rate_limited', 'too_many_searches', 'overloaded', 'server_shutdown'],
  ...['deadline_exceeded', 'upstream_error', 'lost', 'gone', 'internal'],
];

/** Of anything that was thrown; CitewireError has a code. What the browser says of a failed connection explains nothing. */
export function describeError(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message: string };
  const titles: { readonly [code: string]: string } = t.failures;
  if (code === 'connection_failed') return t.failures.connection_failed;
  if (language === 'en' || code === undefined || !Object.hasOwn(titles, code)) return message;
  const title = titles[code]!;
  return general.includes(code) ? title : fill(t.failures.detail, { title, detail: message });
}
