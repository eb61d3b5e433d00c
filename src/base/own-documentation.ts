/**
 * How the documentation of packages is named in an index, this package's own among it: titles such as "undici › Client", and the
 * addresses of a public copy.
 */

/** The name of this package, with which the titles of its pages begin. */
export const ownPackage = 'citewire';
/** How the paths of its pages begin. */
export const ownPath = `/npm/${ownPackage}@`;

/** The package that a page is about, "undici" of "undici › Client", in lower case; of any other page, its title. */
export function packageOf(title: string): string {
  return title.split(' › ', 1)[0]!.toLowerCase();
}
