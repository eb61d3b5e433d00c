/** Who calls, where proxies of the operator's stand between. */
import { BlockList, isIP } from 'node:net';
import type { Exchange, Handlers } from '../exchange.ts';

/**
 * Exchanges say the address of the client, not of the proxy. `trusted`: addresses and networks (`10.0.0.0/8`) whose
 * `X-Forwarded-For` is believed; without any it is not read.
 */
export function behindProxies(trusted: readonly string[], { request, upgrade }: Handlers): Handlers {
  if (trusted.length === 0) return { request, upgrade };
  const find = createClientAddress(trusted);
  const seen = (exchange: Exchange): Exchange => ({
    ...exchange,
    address: find(exchange.address, exchange.headers.get('x-forwarded-for')),
  });
  return { request: (exchange) => request(seen(exchange)), upgrade: (exchange) => upgrade(seen(exchange)) };
}

/**
 * The nearest address that is not a trusted proxy's, from the socket's own backwards through `forwarded` (each proxy adds
 * who called it at the end; what stands before that, the caller may have written himself).
 */
export function createClientAddress(trusted: readonly string[]): (peer: string, forwarded?: string) => string {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(bits), familyOf(address));
  }
  return (peer, forwarded = '') => {
    const hops = forwarded.split(',').map(bare);
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

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function bare(hop: string): string {
  const [, bracketed, withPort] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop.trim()) ?? [];
  return bracketed ?? withPort ?? hop.trim();
}
