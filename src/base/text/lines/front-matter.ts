/** The settings in the front matter of a text of Markdown. */
import { frontMatterEnd } from '../../../../protocol/front-matter.ts';

/**
 * The value of a setting of the first level, on one line: without its quotation marks and what YAML takes for a comment, and with the
 * lines of a block (`>` or `|`) joined. Undefined where it is absent, empty, a list or a mapping.
 */
export function settingOf(text: string, name: string): string | undefined {
  const settings = text.slice(0, frontMatterEnd(text));
  const found = new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(settings);
  if (found === null) return undefined;
  const written = found[1]!.trim();
  const value = /^[>|][-+0-9]*(?:[ \t]+#.*)?$/.test(written)
    ? blockAfter(settings, found.index + found[0].length)
    : valueIn(written);
  const line = value.replace(/\s+/g, ' ').trim().slice(0, 200);
  return line === '' ? undefined : line;
}

function valueIn(written: string): string {
  const double = /^"((?:[^"\\]|\\.){0,500})"[ \t]*(?:#.*)?$/.exec(written)?.[1];
  if (double !== undefined) return double.replace(/\\(["\\/])/g, '$1');
  const single = /^'((?:[^']|''){0,500})'[ \t]*(?:#.*)?$/.exec(written)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  return written.replace(/(?:^|[ \t]+)#.*$/, '');
}

/** The indented lines after a line. */
function blockAfter(settings: string, end: number): string {
  return /^(?:\n(?:[ \t]+.*|[ \t]*(?=\n)))*/.exec(settings.slice(end, end + 2_000))?.[0] ?? '';
}
