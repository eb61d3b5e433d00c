/**
 * Where a request's body ends. Two readers that disagree on that, a proxy and this server, disagree on where the next
 * request begins, and whoever can make them do so smuggles one past the proxy. So there is one form that counts, and
 * whatever could be read in two ways is no request at all.
 */

export interface Framing {
  /** Bytes announced; 0 when chunked. */
  readonly length: number;
  readonly chunked: boolean;
}

/** From the values of all Content-Length and all Transfer-Encoding headers; undefined when they are not to be trusted. */
export function readFraming(lengths: readonly string[], codings: readonly string[]): Framing | undefined {
  if (lengths.length + codings.length > 1) return undefined;
  const [length = '0'] = lengths;
  const [coding = 'chunked'] = codings;
  if (!/^\d{1,15}$/.test(length) || coding.toLowerCase() !== 'chunked') return undefined;
  return { length: Number(length), chunked: codings.length > 0 };
}
