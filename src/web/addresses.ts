/**
 * Which addresses are public. IPv4: global unicast only, and not the address clouds give their own agents. IPv6: global
 * unicast (2000::/3) only; forms that carry an IPv4 address inside (mapped, NAT64, 6to4, Teredo) are judged by what they
 * carry or refused, since a gateway on the way may unwrap them.
 */
import ipaddr from 'ipaddr.js';

/** Azure's host agent answers here with credentials, though the range is registered as public. */
const cloudAgents = new Set(['168.63.129.16']);

/** `address` is what a socket or a resolver gives: no brackets. Anything that does not parse is not public. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicV4(parsed);
  if (!(parsed instanceof ipaddr.IPv6)) return false;
  if (parsed.isIPv4MappedAddress()) return isPublicV4(parsed.toIPv4Address());
  const globalUnicast = (parsed.parts[0]! & 0xe000) === 0x2000;
  return globalUnicast && parsed.range() === 'unicast';
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !cloudAgents.has(address.toString());
}
