/** A new idempotency key: 128 random bits in hex. `randomUUID` is missing in pages that were not loaded over TLS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
