/**
 * Addresses of the network: which are public, and what counts as one place. IPv4: global unicast only is public, and not
 * the address clouds give their own agents. IPv6: global unicast (2000::/3) only; forms that carry an IPv4 address inside
 * (mapped, NAT64, 6to4, Teredo) are judged by what they carry or refused, since a gateway on the way may unwrap them.
 */
import ipaddr from 'ipaddr.js';

/** Azure's host agent answers here with credentials, though the range is registered as public. */
const cloudAgents = new Set(['168.63.129.16']);

/** `address` is what a socket or a resolver gives: no brackets. Anything that does not parse is not public. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && !cloudAgents.has(parsed.toString());
  const globalUnicast = ((parsed as ipaddr.IPv6).parts[0]! & 0xe000) === 0x2000;
  return globalUnicast && parsed.range() === 'unicast';
}

/** What one caller holds: an IPv4 address, also when mapped into IPv6, or a /64. Gives back what does not parse. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return groups.map((group) => group.toString(16)).join(':');
}
