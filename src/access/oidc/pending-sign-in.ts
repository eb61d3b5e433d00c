/**
 * A sign-in between its two steps, as the value of a cookie. Only the browser that carries it can read or change it, and
 * what it says is worth something only together with a fresh answer of the provider; so it needs no signature.
 */
import * as z from 'zod';
import type { Checks } from './provider.ts';

export interface PendingSignIn extends Checks {
  /** The id of the session that this one replaces: the browser does not send its cookie when the provider leads back. */
  readonly before?: string | undefined;
  /** A path of this server. */
  readonly return_to: string;
}

const random = z.string().regex(/^[\w-]{43}$/);
const Pending = z.strictObject({
  state: random,
  nonce: random,
  verifier: random,
  before: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  return_to: z.string(),
});

/** Longest path to return to, characters; set by hand: cookies have at most 4 KiB. */
const maxPath = 1_000;

/** The value of the cookie. */
export function writePending(pending: PendingSignIn): string {
  return Buffer.from(JSON.stringify(pending)).toString('base64url');
}

/** Undefined if it is not what `writePending` returned. */
export function readPending(value: string | undefined): PendingSignIn | undefined {
  if (value === undefined) return undefined;
  try {
    const pending = Pending.parse(JSON.parse(Buffer.from(value, 'base64url').toString('utf8')));
    return { ...pending, return_to: returnPath(pending.return_to) };
  } catch {
    return undefined;
  }
}

/** `wanted` if it is a path of this server, with its query and fragment; `/` for anything that leads elsewhere. */
export function returnPath(wanted: string | undefined): string {
  const base = 'http://citewire.invalid';
  if (wanted === undefined || !wanted.startsWith('/') || !URL.canParse(wanted, base)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, base);
  const path = pathname + search + hash;
  // A path can become another host once its dots are gone: "/.//host".
  return origin === base && !path.startsWith('//') && path.length <= maxPath ? path : '/';
}
