/** URLs of sources are stored, and shown to every account that finds the source: none may have a password in it. */
import { AppError } from '../base/errors.ts';

/** Throws `validation_error` for a URL with a user name or a password; `loc` is its place in a request. */
export function refuseCredentials(url: string, loc: readonly string[] = []): void {
  const { username, password } = new URL(url);
  if (username === '' && password === '') return;
  const msg = 'Expected a URL without a user name or password.';
  throw new AppError('validation_error', msg, {
    ...(loc.length === 0 ? {} : { issues: [{ loc: [...loc], msg, type: 'value_error' }] }),
  });
}

/** A text whose URLs have no user name or password. */
export function withoutCredentials(text: string): string {
  return text.replace(/\b(https?:\/\/)[^\s/?#\\"'<>]*@/gi, '$1');
}
