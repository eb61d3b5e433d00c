/** What counts as one place on the network. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** An IPv4 address, also when mapped into IPv6, or a /64. */
export function networkOf(address: string): string {
  const mapped = /^(?:::|(?:0{1,4}:){5})ffff:(.+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) while (groups.length < 4) groups.push('0');
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** Loopback, private networks, carriers' shared ones: a proxy's address, more often than a caller's. */
const shared = new BlockList();
for (const [prefix, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  shared.addSubnet(prefix, bits, 'ipv4');
}
shared.addAddress('::1', 'ipv6');
shared.addSubnet('fc00::', 7, 'ipv6');
shared.addSubnet('fe80::', 10, 'ipv6');

/** Whether an address stands for a caller: whether it is public. */
export function isPublic(address: string): boolean {
  const mapped = /^::ffff:(\d[\d.]+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return !shared.check(mapped, 'ipv4');
  return isIPv6(mapped) && !shared.check(mapped, 'ipv6');
}
