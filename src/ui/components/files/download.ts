/** Has the browser save a text file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  // "When is it pruned?.md" is "When is it pruned.md".
  link.download = name
    .replace(/[\\/:*?"<>|\s]+/g, ' ')
    .replace(/ (?=\.\p{L}+$)/u, '')
    .trim();
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
