/**
 * Bytes in a named charset as text. Node's own decoder (since 20.18.3 and 22.13) reads windows-1252, which is also what pages mean
 * that say iso-8859-1 or ASCII, as latin-1: quotation marks, dashes, "€" and "Œ" would be control characters, and be lost.
 */

/** The characters 0x80 to 0x9F of windows-1252; five are control characters (Encoding Standard, index windows-1252). */
const upperControls = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

/** Text in the charset `label`; what is invalid is U+FFFD. Throws a RangeError for an unknown label. */
export function decodeAs(bytes: Uint8Array, label: string): string {
  const decoder = decoders.get(label) ?? new TextDecoder(label);
  // Labels come from pages, but only those of the Encoding Standard get here.
  decoders.set(label, decoder);
  if (decoder.encoding !== 'windows-1252') return decoder.decode(bytes);
  return latinAsWindows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
}

/** Text of windows-1252 that was read as latin-1, as it was meant. */
export function latinAsWindows(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (control) => upperControls[control.charCodeAt(0) - 0x80]!);
}
