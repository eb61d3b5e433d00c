/** A file of a kind that is not read, for a reason that its user can do something about. */

export class UnsupportedFile extends Error {}

/** The message about a file that only a password opens. */
export const hasPassword = 'The document has a password; save it without one.';
