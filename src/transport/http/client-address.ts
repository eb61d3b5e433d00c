/** The client's address when there are proxies between it and this server. */
import { BlockList, isIP } from 'node:net';
import type { Exchange, Handlers } from '../exchange.ts';

/**
 * Handlers whose exchanges have the address of the client instead of the proxy's. `trusted`: addresses and networks
 * (`10.0.0.0/8`) whose `X-Forwarded-For` is trusted; if there are none, the header is ignored.
 */
export function behindProxies(trusted: readonly string[], { request, upgrade }: Handlers): Handlers {
  if (trusted.length === 0) return { request, upgrade };
  const find = createClientAddress(trusted);
  const withClient = (exchange: Exchange): Exchange => ({
    ...exchange,
    address: find(exchange.address, exchange.headers.get('x-forwarded-for')),
  });
  return { request: (exchange) => request(withClient(exchange)), upgrade: (exchange) => upgrade(withClient(exchange)) };
}

/**
 * Returns a function from the socket's address and `X-Forwarded-For` to the nearest address that is not a trusted proxy's.
 * The header is read backwards: each proxy appends the address that called it, and anything before that the caller may have
 * made up.
 */
export function createClientAddress(trusted: readonly string[]): (peer: string, forwarded?: string) => string {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(bits), familyOf(address));
  }
  return (peer, forwarded = '') => {
    const hops = forwarded.split(',').map(withoutPort);
    let client = peer;
    while (proxies.check(client, familyOf(client))) {
      const before = hops.pop();
      if (before === undefined || isIP(before) === 0) break;
      client = before;
    }
    return client;
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, bracketed, withPort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop.trim()) ?? [];
  return bracketed ?? withPort ?? hop.trim();
}
