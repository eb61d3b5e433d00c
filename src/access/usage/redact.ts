/**
 * What the log of refused calls must not keep: a message quotes the start of the invalid value, which may be a key, a password or a
 * private text.
 */

/** The value at the end of a message "expected …; got …", as protocol/preview.ts writes it, and its length if that follows. */
const received = /\bgot (?:an? [a-z ]*)?["[{].*?( \(\d+ characters\))?$/s;
/** Secrets of this server, and the sign-in of a URL, wherever they are. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\bcw_[0-9A-Za-z]{8}_\w+/g, 'cw_…'],
  [/whsec_[\w+/=-]+/g, 'whsec_…'],
  [/\bticket\.[\w-]+/g, 'ticket.…'],
  [/:\/\/[^\s/@"]+@/g, '://…@'],
];

/** The text of a message or a path without these. */
export function redact(text: string): string {
  return secrets.reduce((left, [secret, mark]) => left.replace(secret, mark), text.replace(received, 'got "…"$1'));
}
