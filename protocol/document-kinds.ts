/** The kinds of file that can be indexed, with the endings of their names. */
const kinds = {
  Markdown: ['md', 'markdown', 'mdx'],
  HTML: ['html', 'htm'],
  text: ['txt'],
  PDF: ['pdf'],
  DOCX: ['docx'],
  CSV: ['csv', 'tsv'],
  EPUB: ['epub'],
} as const satisfies Record<string, readonly string[]>;

export type DocumentEnding = (typeof kinds)[keyof typeof kinds][number];

/** How names of files that can be indexed end, in lower case, without the dot. */
export const documentEndings: readonly DocumentEnding[] = Object.values(kinds).flat();

/** For a sentence: "Markdown, HTML, text, PDF, DOCX, CSV or EPUB". */
export const documentKinds: string = Object.keys(kinds)
  .join(', ')
  .replace(/, (\w+)$/, ' or $1');
