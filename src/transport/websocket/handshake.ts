/** Checks the handshake of a WebSocket (RFC 6455, 4.2.1), of which the native server checks only the key. */
import { subprotocol } from '../../../protocol/index.ts';
import { preview } from '../../../protocol/preview.ts';
import { AppError, invalid } from '../../base/errors.ts';
import type { RequestHead } from '../exchange.ts';

/** Throws `upgrade_required` or `validation_error`. */
export function checkHandshake({ headers }: RequestHead): void {
  const has = (name: string, token: string) => tokens(headers.get(name)).includes(token);
  if (!has('upgrade', 'websocket') || !has('connection', 'upgrade')) throw upgradeRequired();
  // A list of versions names none: a client sends exactly one.
  if (headers.get('sec-websocket-version') !== '13') {
    throw upgradeRequired();
  }
  // 16 bytes in base64. Repeated keys are joined by a comma, which does not match.
  const key = headers.get('sec-websocket-key') ?? '';
  if (!/^[A-Za-z0-9+/]{22}==$/.test(key)) {
    throw invalid(['header', 'Sec-WebSocket-Key'], `expected 16 bytes in base64; got ${preview(key)}`, 'value_error');
  }
}

/** The subprotocol to answer with, none if none is offered. Throws `subprotocol` when only others are offered. */
export function chooseProtocol({ headers }: RequestHead): { protocol?: string } {
  const offered = tokens(headers.get('sec-websocket-protocol'), (token) => token);
  if (offered.includes(subprotocol)) return { protocol: subprotocol };
  if (offered.length === 0) return {};
  const got = offered.map((name) => name.replace(/^ticket\..*/, 'a ticket')).join(', ');
  throw new AppError('subprotocol', `Expected the subprotocol ${subprotocol}; got ${got.slice(0, 100)}.`);
}

/** The 426 for a request that is not an upgrade. */
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
