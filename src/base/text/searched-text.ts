/** What lists of searches and threads show of a prompt, and what searching in them looks in. */

/** UTF-16 units that are looked through, one search after another. Set by hand. */
const maxLength = 2_000;

/** The beginning of a prompt in lower case. */
export function searchedText(prompt: string | undefined): string {
  return (prompt ?? '').slice(0, maxLength).toLowerCase();
}

/** As much as a list of threads shows; set by hand. */
const shownTitle = 100;

/** A question as a title: its first words, on one line. */
export function titleOf(text: string): string {
  const line = oneLine(text);
  if (line.length <= shownTitle) return line;
  const cut = line.slice(0, shownTitle).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), shownTitle / 2)).trimEnd()} …`;
}

/** The text without line breaks and control characters. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
