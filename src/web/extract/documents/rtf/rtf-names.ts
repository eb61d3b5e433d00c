/** The names of RTF that its reader knows (RTF 1.9.1). */

/** Groups that have no text of the document, besides those that begin with `\*`. */
export const unseenGroups: ReadonlySet<string> = new Set(
  'fonttbl colortbl stylesheet listtable listoverridetable revtbl rsidtbl filetbl generator pict object objdata themedata colorschememapping datastore latentstyles xmlnstbl header headerl headerr headerf footer footerl footerr footerf fldinst annotation atnid atnauthor atndate atnref atnicn atnparent bkmkstart bkmkend tc xe rxe txe nonshppict pntext listtext info'.split(
    ' ',
  ),
);

/** The texts of the group `info` that are read, although it is not text of the document. */
export const propertyGroups: ReadonlySet<string> = new Set(['title', 'author']);

/** Signs that are words; source: RTF 1.9.1, "Special Characters". */
export const signs: Readonly<Record<string, string>> = {
  tab: ' ',
  line: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
};

/** Code pages by the character set of a font (RTF 1.9.1, "Font Table"), as the Encoding Standard names them. */
const charsets: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

/** Code pages that have no name `windows-…` (RTF 1.9.1, `\ansicpg`). */
const codePages: Readonly<Record<number, string>> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
};

/** The charset of a font by its number; undefined for one whose letters are those of the document, or unknown. */
export function charsetOfFont(number: number): string | undefined {
  return charsets[number];
}

/** The charset of a code page of Windows by its number; undefined if it is unknown. */
export function charsetOfCodePage(number: number): string | undefined {
  const label = codePages[number] ?? `windows-${number}`;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
