import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashSecret, issueKey, parseKey, sameHash } from '../../src/access/keys.ts';

describe('keys', () => {
  it('issues keys of the documented form and parses their public part', () => {
    for (let i = 0; i < 200; i++) {
      const { id, plaintext, secret_hash } = issueKey();
      expect(plaintext).toMatch(/^cw_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
      expect(parseKey(plaintext)).toBe(id);
      expect(secret_hash).toBe(hashSecret(plaintext));
      expect(secret_hash).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('issues a different key each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => issueKey().plaintext)).size).toBe(1000);
  });

  it('rejects a key in which any one character is changed', () => {
    const { plaintext } = issueKey();
    fc.assert(
      fc.property(fc.nat(plaintext.length - 1), fc.constantFrom(...'0aZ_-€ '), (at, other) => {
        fc.pre(plaintext[at] !== other);
        expect(parseKey(plaintext.slice(0, at) + other + plaintext.slice(at + 1))).toBeUndefined();
      }),
    );
  });

  it('parses nothing that is not a key', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => parseKey(text) === undefined));
    const { plaintext } = issueKey();
    for (const text of [
      ` ${plaintext}`,
      `${plaintext} `,
      `${plaintext}\n`,
      plaintext.toUpperCase(),
      `cw_${'a'.repeat(1e6)}`,
    ]) {
      expect(parseKey(text)).toBeUndefined();
    }
  });

  it('compares keys by their hashes', () => {
    const [one, other] = [issueKey().secret_hash, issueKey().secret_hash];
    expect([sameHash(one, one), sameHash(one, other), sameHash(one, one.slice(1))]).toEqual([true, false, false]);
  });
});
