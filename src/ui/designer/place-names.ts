/** The places of a design in words, as its form calls them. */
import { nameOfField } from '../language/server-text.ts';

/**
 * How the place of a JSON Pointer such as `/inputs/topic` is shown: "Inputs › topic". An entry of a list, `-`, is marked at the list:
 * "items[] › name".
 */
export function nameOfPlace(pointer: string): string {
  const [, field = '', ...inside] = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const names = inside.flatMap((name, at) => {
    if (name === '-') return [];
    return inside[at + 1] === '-' ? `${name}[]` : name;
  });
  return nameOfField(['body', field, ...names]);
}
