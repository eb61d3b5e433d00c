/** Where the client found this server, as far as it says: for addresses that an answer gives it. */
import type { Exchange } from './port.ts';

export function baseUrl({ headers }: Exchange): string {
  const secure = headers.get('x-forwarded-proto') === 'https';
  return `${secure ? 'https' : 'http'}://${headers.get('host') ?? 'localhost'}`;
}
