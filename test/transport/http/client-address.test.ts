/** The client's address behind proxies, from the socket's address and X-Forwarded-For. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createClientAddress } from '../../../src/transport/http/client-address.ts';

const find = createClientAddress(['10.0.0.0/8', '192.0.2.1', '2001:db8:1::/48']);

it.each([
  ['the socket itself, where nothing is forwarded', '10.0.0.1', undefined, '10.0.0.1'],
  ['the socket itself, where it is no proxy', '198.51.100.1', '203.0.113.7', '198.51.100.1'],
  ['the address that a proxy names', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['the address that the first of two proxies names', '10.0.0.1', '203.0.113.7, 192.0.2.1', '203.0.113.7'],
  [
    'the last that no proxy wrote about, before what a caller claims',
    '10.0.0.1',
    '1.1.1.1, 203.0.113.7',
    '203.0.113.7',
  ],
  ['the outermost, where all are proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['the proxy, when it names no address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['the proxy, when the header is empty', '10.0.0.1', '', '10.0.0.1'],
  ['an address with its port', '10.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
  ['an address in brackets', '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
  ['the address that an IPv6 proxy names', '2001:0db8:0001:0000:0000:0000:0000:0009', '2001:db8::7', '2001:db8::7'],
  ['the address that an IPv4-mapped proxy names', '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
])('finds as the client %s', (_, peer, forwarded, client) => {
  expect(find(peer, forwarded)).toBe(client);
});

it('never uses an address before that of an untrusted proxy as the client', () => {
  fc.assert(
    fc.property(fc.string(), fc.ipV4(), (claimed, stranger) => {
      fc.pre(!stranger.startsWith('10.') && stranger !== '192.0.2.1');
      expect(find('10.0.0.1', `${claimed},${stranger}`)).toBe(stranger);
    }),
  );
});
