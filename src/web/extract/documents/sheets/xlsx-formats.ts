/** How the cells of a workbook show numbers, by the numbers of their styles (ECMA-376-1, 18.8). */
import { localName, readXml } from '../read-xml.ts';
import { builtInFormat, plainNumber, readNumberFormat, type ShowNumber } from './number-format.ts';

/** Excel has at most this many styles of cells. */
const maxStyles = 65_490;

/** The formats by the numbers of the styles; numbers of other styles are shown in full. */
export function readCellFormats(bytes: Uint8Array | undefined, from1904: boolean): readonly ShowNumber[] {
  const codes = new Map<string, string>();
  const styles: string[] = [];
  let isCellStyle = false;
  readXml(bytes, {
    open(element, { numFmtId: id = '', formatCode: code = '' }) {
      const name = localName(element);
      // Formats of conditions have numbers of their own, and come after the styles.
      if (name === 'numFmt' && styles.length === 0 && codes.size < maxStyles) codes.set(id, code);
      if (name === 'cellXfs') isCellStyle = true;
      if (name === 'xf' && isCellStyle && styles.length < maxStyles) styles.push(id);
    },
    close(element) {
      if (localName(element) === 'cellXfs') isCellStyle = false;
    },
  });
  const read = new Map<string, ShowNumber>();
  return styles.map((id) => {
    const known = read.get(id);
    if (known !== undefined) return known;
    const code = codes.get(id) ?? builtInFormat(Number(id));
    const format = code === undefined ? plainNumber : readNumberFormat(code, from1904);
    read.set(id, format);
    return format;
  });
}
