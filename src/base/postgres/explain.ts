/** What keeps a Postgres from being used, in one sentence for the operator, which never has the password of the URL. */
import { AppError } from '../errors.ts';
import { parsePostgresUrl } from './hosts.ts';

/** Explanations of the SQLSTATEs that a wrong DATABASE_URL leads to. */
const reasons: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong for this user',
  '28000': 'this user may not sign in from here',
  '3D000': 'there is no such database',
  '42501': 'this user may not create tables there',
};

/** One sentence for the operator who set DATABASE_URL. */
export function explainPostgres(error: unknown, url: string): Error {
  const isAway = error instanceof AppError;
  const { code = '', message } = (isAway ? error.cause : error) as Error & { code?: string };
  const asksForPassword = message.includes('client password must be');
  const reason = isAway ? 'no Postgres answers there' : reasons[code];
  const why = reason === undefined ? message : `${reason} (${message || code})`;
  const what = asksForPassword ? 'it requires a password, and the URL has none' : why;
  return new Error(`DATABASE_URL: ${placeOf(url)}: ${what.replace(/\.$/, '')}.`, { cause: error });
}

/** The URL without its password and options. */
function placeOf(url: string): string {
  const all = (parsePostgresUrl(url)?.urls ?? [url]).map((each) => new URL(each));
  const { username, pathname } = all[0]!;
  return `postgres://${username === '' ? '' : `${username}@`}${all.map(({ host }) => host).join(',')}${pathname}`;
}
