/** The kinds of file that can be indexed, with the endings of their names. */
const kinds = {
  Markdown: ['md', 'markdown', 'mdx'],
  HTML: ['html', 'htm'],
  text: ['txt'],
  PDF: ['pdf'],
  DOCX: ['docx'],
  XLSX: ['xlsx', 'xlsm'],
  PPTX: ['pptx'],
  ODT: ['odt'],
  ODS: ['ods'],
  ODP: ['odp'],
  RTF: ['rtf'],
  CSV: ['csv', 'tsv'],
  EPUB: ['epub'],
  EML: ['eml'],
} as const satisfies Record<string, readonly string[]>;

export type DocumentEnding = (typeof kinds)[keyof typeof kinds][number];

/** How names of files that can be indexed end, in lower case, without the dot. */
export const documentEndings: readonly DocumentEnding[] = Object.values(kinds).flat();

/** For a sentence: "Markdown, HTML, text, … or EML". */
export const documentKinds: string = Object.keys(kinds)
  .join(', ')
  .replace(/, (\w+)$/, ' or $1');
