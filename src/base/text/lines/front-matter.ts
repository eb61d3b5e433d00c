/** The settings above a text of Markdown, between two lines of three hyphens, as editors and site generators write them in YAML. */

/** Characters of front matter; a longer text between two rules is text. Set by hand. */
const maxChars = 20_000;

/** The offset after front matter (a leading `---` block); 0 without one. */
export function frontMatterEnd(text: string): number {
  if (!text.startsWith('---\n')) return 0;
  const end = text.indexOf('\n---\n', 3);
  if (end !== -1) return end > maxChars ? 0 : end + 5;
  return text.endsWith('\n---') && text.length <= maxChars ? text.length : 0;
}

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
