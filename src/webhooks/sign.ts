/** Signatures as Standard Webhooks describe them: HMAC-SHA256 over the id, the time and the body of a try. */
import { createHmac, randomBytes } from 'node:crypto';

export const secretPrefix = 'whsec_';

/** 256 bits; Standard Webhooks ask for 192 to 512. */
const secretBytes = 32;

/** A new signing secret, `whsec_` and base64. */
export function newWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

/**
 * The headers of a try: its id, the time in seconds since 1970, and one signature for each secret, separated by spaces, so that a
 * receiver with either of two secrets accepts it.
 */
export function signatureHeaders(
  { id, body, seconds }: { readonly id: string; readonly body: string; readonly seconds: number },
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
