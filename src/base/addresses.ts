/**
 * IP addresses: which are public, which belong to one network, and which this machine reaches itself by. IPv4: only global unicast
 * is public, except the address of Azure's host agents. IPv6: only global unicast (2000::/3); addresses that embed an IPv4 address
 * (mapped, NAT64, 6to4, Teredo) are judged by it or refused, because a gateway on the way may unwrap them.
 */
import ipaddr from 'ipaddr.js';

/** Azure's host agent serves credentials here, although the range is registered as public. */
const cloudAgents = new Set(['168.63.129.16']);

/** `address` is as sockets and resolvers return it, without brackets. Anything that does not parse is not public. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && !cloudAgents.has(parsed.toString());
  const globalUnicast = ((parsed as ipaddr.IPv6).parts[0]! & 0xe000) === 0x2000;
  return globalUnicast && parsed.range() === 'unicast';
}

/** The network of one caller: an IPv4 address, also when mapped into IPv6, or an IPv6 /64. Returns other text unchanged. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return groups.map((group) => group.toString(16)).join(':');
}

/** Where a program on the same machine reaches a server that listens on every address; another URL is returned as it is. */
export function reachableUrl(baseUrl: string): string {
  return baseUrl.replace(/^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=[:/]|$)/, '$1localhost');
}
