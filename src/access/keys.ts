/**
 * The format of an API key: `cw_` + 8 public characters + `_` + 32 secret characters + 6 characters of checksum, all in
 * base 62.
 *
 * The public part identifies the key in lists and tables and may be shown. The secret carries 190 random bits, so a plain
 * SHA-256 is a sufficient hash: it cannot be guessed. The checksum (CRC-32) rejects a mistyped key before any lookup and
 * lets secret scanners recognise keys reliably; it adds no security.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretPattern = /^[A-Za-z0-9_-]{43}$/;
const keyPattern = /^cw_([0-9A-Za-z]{8})_[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/;

export interface IssuedKey {
  readonly id: string;
  /** The whole key, to be shown once and stored nowhere. */
  readonly plaintext: string;
  readonly secret_hash: string;
}

/** A new random key. */
export function issueKey(): IssuedKey {
  const id = randomText(8);
  const body = `cw_${id}_${randomText(32)}`;
  const plaintext = body + checksum(body);
  return { id, plaintext, secret_hash: hashSecret(plaintext) };
}

/** The public part of a well-formed key; undefined for any other text. */
export function parseKey(text: string): string | undefined {
  const match = keyPattern.exec(text);
  if (match === null) return undefined;
  const [, id, sum] = match;
  return checksum(text.slice(0, -6)) === sum ? id : undefined;
}

/** A new secret of a link, a session or a ticket: 32 random bytes, which cannot be guessed either. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text has the form of such a secret. */
export function isSecret(text: string): boolean {
  return secretPattern.test(text);
}

/** SHA-256, hexadecimal in lower case. */
export function hashSecret(plaintext: string): string {
  return createHash('sha256').update(plaintext).digest('hex');
}

/** Compares two hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
