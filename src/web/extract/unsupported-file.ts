/** A file of a kind that is not read, for a reason that its user can do something about. */

export class UnsupportedFile extends Error {}
