/** What a request has to say before it may become a WebSocket (RFC 6455, 4.2.1): the native server looks at the key only. */
import { subprotocol } from '../../../protocol/index.ts';
import { AppError, invalid } from '../../base/errors.ts';
import type { RequestHead } from '../exchange.ts';

/** Throws `upgrade_required` or `validation_error`. */
export function checkHandshake({ headers }: RequestHead): void {
  const has = (name: string, token: string) => tokens(headers.get(name)).includes(token);
  if (!has('upgrade', 'websocket') || !has('connection', 'upgrade') || !has('sec-websocket-version', '13')) {
    throw upgradeRequired();
  }
  // 16 bytes in base64; of two keys neither counts.
  if (!/^[A-Za-z0-9+/]{22}==$/.test(headers.get('sec-websocket-key') ?? '')) {
    throw invalid(['header', 'Sec-WebSocket-Key'], 'expected 16 bytes in base64', 'value_error');
  }
}

/** What to answer with. Throws `subprotocol` when others are offered and ours is not. */
export function chooseProtocol({ headers }: RequestHead): { protocol?: string } {
  const offered = tokens(headers.get('sec-websocket-protocol'), (token) => token);
  if (offered.includes(subprotocol)) return { protocol: subprotocol };
  if (offered.length === 0) return {};
  const got = offered.map((name) => name.replace(/^ticket\..*/, 'a ticket')).join(', ');
  throw new AppError('subprotocol', `Expected the subprotocol ${subprotocol}; got ${got.slice(0, 100)}.`);
}

export function upgradeRequired(): AppError {
  const message = 'Expected a WebSocket upgrade; POST /v1/search with Accept: text/event-stream streams over HTTP.';
  const headers = { upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-version': '13' };
  return new AppError('upgrade_required', message, { headers });
}

function tokens(list: string | undefined, form = (token: string) => token.toLowerCase()): string[] {
  return (list ?? '')
    .split(',')
    .map((token) => form(token.trim()))
    .filter((token) => token !== '');
}
