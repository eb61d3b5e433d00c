/** What a version changed from the one before it, by JSON Pointer. Values are not shown: prompts stay with their author. */
import type { VersionChange } from './design-responses.ts';
import type { Design } from './designs.ts';
import { pointer, templateLeaves } from './output-format.ts';

/** Added, removed and changed fields, in the order of the fields of a design. Examples are not compared. */
export function changesBetween(before: Design, after: Design): VersionChange[] {
  const [old, now] = [placesOf(before), placesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((path): VersionChange[] => {
    const [was, is] = [old.get(path), now.get(path)];
    if (was === is) return [];
    return [{ path, change: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed' }];
  });
}

/** JSON by path: each input and each leaf of the template separately, every other field as a whole. */
function placesOf({ examples: _, inputs, output_format, ...whole }: Design): Map<string, string> {
  const leaves = output_format === undefined ? [] : templateLeaves(output_format);
  return new Map([
    ...Object.entries(whole).map(([field, value]): [string, string] => [pointer([field]), JSON.stringify(value)]),
    ...Object.entries(inputs).map(([name, input]): [string, string] => [
      pointer(['inputs', name]),
      JSON.stringify(input),
    ]),
    ...leaves.map(({ path, type }): [string, string] => [`/output_format${path}`, type]),
  ]);
}
