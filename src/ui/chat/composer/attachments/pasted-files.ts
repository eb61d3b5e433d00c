/** The files of what is pasted into the question. Spreadsheets and word processors put a picture of copied text beside the text. */

/** Empty where text is pasted: only the names of copied files, which file managers put beside them, are not meant as text. */
export function pastedFiles(clipboard: DataTransfer | null): readonly File[] {
  const files = [...(clipboard?.files ?? [])];
  const lines = (clipboard?.getData('text/plain') ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const isName = (line: string) => files.some(({ name }) => line.split('/').at(-1)!.trim() === name);
  return lines.every(isName) ? files : [];
}
