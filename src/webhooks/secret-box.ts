/**
 * How signing secrets are kept. They have to be read again to sign, so they cannot be hashed as keys are. With a key, the
 * setting SECRETS_KEY, they are encrypted with AES-256-GCM, and someone who has only the database cannot sign. Without one
 * they are kept as they are. Both kinds can be opened, so a key may be set later.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { secretPrefix } from './sign.ts';

export interface SecretBox {
  /** What to store of a secret. */
  seal(secret: string): string;
  /** Throws an Error for what was sealed with another key, or altered; `what` was sealed, "this secret was" by default. */
  open(sealed: string, what?: string): string;
}

const cipher = 'aes-256-gcm';
const sealedPrefix = 'sealed_';
/** As GCM recommends. */
const nonceBytes = 12;
const tagBytes = 16;

/** `passphrase` is any text; undefined for no encryption. */
export function createSecretBox(passphrase: string | undefined): SecretBox {
  const key = passphrase === undefined ? undefined : createHash('sha256').update(passphrase).digest();
  return {
    seal(secret) {
      if (key === undefined) return secret;
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce);
      const text = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()]);
      return sealedPrefix + Buffer.concat([nonce, sealing.getAuthTag(), text]).toString('base64');
    },

    open(sealed, what = 'this secret was') {
      if (sealed.startsWith(secretPrefix)) return sealed;
      if (key === undefined) throw new Error(`expected SECRETS_KEY, with which ${what} encrypted; got none`);
      const bytes = Buffer.from(sealed.slice(sealedPrefix.length), 'base64');
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes));
      opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = bytes.subarray(nonceBytes + tagBytes);
      try {
        return Buffer.concat([opening.update(text), opening.final()]).toString('utf8');
      } catch {
        throw new Error(`expected the SECRETS_KEY with which ${what} encrypted; got another one`);
      }
    },
  };
}
