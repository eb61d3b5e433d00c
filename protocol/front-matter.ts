/**
 * The settings above a text of Markdown, between two lines of three hyphens, as editors and site generators write them in YAML. Words
 * between two rules are text, which would be found nowhere if it were taken for settings. The server, which reads the settings, and
 * the page, which hides them, go by this one rule.
 */

/** Characters of front matter; a longer text between two rules is text. Set by hand. */
const maxChars = 20_000;

/** Keys, with what follows them. Of several words only the later ones: "The board has decided: we build." begins a text. */
const firstKey = /^([\p{L}_$]\S*?|"[^"]+"|'[^']+')[ \t]*:(?:[ \t]+(.*))?$/u;
const laterKey = /^([\p{L}\p{N}_$]\S*?(?: \S+?){0,3}|"[^"]+"|'[^']+')[ \t]*:(?:[ \t]+(.*))?$/u;

/** The offset after front matter (a leading `---` block); 0 without one. */
export function frontMatterEnd(text: string): number {
  if (!text.startsWith('---\n')) return 0;
  const inside = text.indexOf('\n---\n', 3);
  const closing = inside === -1 && text.endsWith('\n---') ? text.length - 4 : inside;
  if (closing === -1) return 0;
  const end = Math.min(text.length, closing + 5);
  return end <= maxChars && areSettings(text.slice(4, closing)) ? end : 0;
}

/** Whether each line may be one of a mapping in YAML: a key, a part of a value, a comment or blank. */
function areSettings(block: string): boolean {
  const keys = new Set<string>();
  let mayBeList = false;
  for (const line of block.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, key, value = ''] = (keys.size === 0 ? firstKey : laterKey).exec(line) ?? [];
    if (key !== undefined) {
      // A key is there once; the name before what somebody says is not.
      if (keys.has(key)) return false;
      keys.add(key);
      mayBeList = /^(?:[#&!].*)?$/.test(value);
    } else if (keys.size === 0 || !(/^[ \t\]}]/.test(line) || (mayBeList && /^-(?:\s|$)/.test(line)))) return false;
  }
  return keys.size > 0 || block.trim() === '';
}
