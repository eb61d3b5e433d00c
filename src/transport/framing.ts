/**
 * Where a request's body ends. If a proxy and this server disagree on that, they disagree on where the next request begins,
 * and an attacker can smuggle one past the proxy. So only one form is accepted, and anything ambiguous is refused.
 */

export interface Framing {
  /** Bytes announced; 0 when chunked. */
  readonly length: number;
  readonly chunked: boolean;
  /** Whether a header says so. Without one there is no body. */
  readonly declared: boolean;
}

/** Takes the values of all Content-Length and all Transfer-Encoding headers; returns undefined if they are ambiguous. */
export function readFraming(lengths: readonly string[], codings: readonly string[]): Framing | undefined {
  if (lengths.length + codings.length > 1) return undefined;
  const [length = '0'] = lengths;
  const [coding = 'chunked'] = codings;
  if (!/^\d{1,15}$/.test(length) || coding.toLowerCase() !== 'chunked') return undefined;
  return { length: Number(length), chunked: codings.length > 0, declared: lengths.length + codings.length > 0 };
}

/** Whether the client wants the connection closed after the answer (RFC 9110, 7.6.1). Takes the `Connection` header. */
export function asksToClose(connection: string | undefined): boolean {
  return connection !== undefined && /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(connection);
}
