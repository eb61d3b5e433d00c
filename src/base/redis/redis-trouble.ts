/**
 * Why a Redis cannot be used, in plain words. Commands only say that there is no connection, and what ioredis has to say about a
 * password it writes to the console, between the lines of the log.
 */
import type { Redis } from 'ioredis';

const lastTroubles = new WeakMap<Redis, string>();

/** A consequence, which says nothing of the cause. */
const isConsequence = (message: string) => /^(?:Stream isn't writeable|Connection is closed)/.test(message);

/** Keeps why the connection cannot be used, until it can. */
export function watchTrouble(redis: Redis): void {
  redis.on('error', (error: Error & { readonly lastNodeError?: Error }) => {
    const cause = error.lastNodeError ?? error;
    if (!isConsequence(cause.message)) lastTroubles.set(redis, describeTrouble(cause));
  });
  redis.on('ready', () => lastTroubles.delete(redis));
}

/** Why this Redis cannot be used: what its connection met last, else what a command failed with. */
export function troubleOf(redis: Redis, failure?: unknown): string | undefined {
  return lastTroubles.get(redis) ?? (failure instanceof Error ? describeTrouble(failure) : undefined);
}

/** Without a full stop. */
export function describeTrouble({ message, code }: Error & { readonly code?: string }): string {
  if (/NOAUTH|WRONGPASS|invalid password/.test(message)) return 'it refused the user or the password in REDIS_URL';
  if (/NOPERM/.test(message)) return `the user in REDIS_URL may not do this: ${message}`;
  if (/^Protocol error|wrong version number|packet length too long/i.test(message))
    return 'what answers at REDIS_URL does not speak the protocol of Redis, or only one of the two uses TLS';
  return message || code || 'its connection failed';
}

const known = /^(?:\[(?:WARN|ERROR)\] .*\b(?:password|auth)\b|Skipping the ready check because INFO)/;
const said = new Set<string>();
let listener: ((warning: string) => void) | undefined;

/** `onWarning` is called with what ioredis would write to the console, once for each text of this process. */
export function hearWarnings(onWarning: (warning: string) => void): void {
  listener = onWarning;
}

/** Call it before the first connection. Everything else that is written to the console stays there. */
export function catchWarnings(): void {
  if (isCaught) return;
  isCaught = true;
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    const [text] = words;
    if (typeof text !== 'string' || !known.test(text)) return warn.apply(console, words);
    if (said.has(text)) return;
    said.add(text);
    listener?.(text.replace(/^\[\w+\] |\.? You can disable ready check.*$/g, ''));
  };
}
let isCaught = false;
