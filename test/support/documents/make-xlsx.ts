/** Small workbooks of our own making, as Excel writes them. */
import { makeZip } from './make-zip.ts';

export interface TestSheet {
  readonly name: string;
  readonly state?: string;
  /** The XML inside of `sheetData`. */
  readonly rows: string;
  /** The XML before it. */
  readonly before?: string;
  /** Merged cells, such as `A1:B1`. */
  readonly merged?: readonly string[];
}

export interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  /** The XML of the items of the shared strings. */
  readonly strings?: string;
  /** The formats of the styles 1, 2, … by their numbers or their codes. */
  readonly formats?: readonly (number | string)[];
  readonly properties?: string;
  /** Files in place of these. */
  readonly files?: Record<string, string>;
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook with these sheets. */
export function makeXlsx({ sheets, strings = '', formats = [], properties = '', files = {} }: TestWorkbook): Buffer {
  const codes = formats.map((format, at) => (typeof format === 'number' ? format : 164 + at));
  const relationship = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`;
  return makeZip({
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${types}"><workbookPr${properties}/><sheets>${sheets
      .map(
        ({ name, state }, at) =>
          `<sheet name="${name}" sheetId="${at + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${at + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_, at) => relationship(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`))
      .join(
        '',
      )}${relationship('rIdS', 'sharedStrings', '/xl/sharedStrings.xml')}${relationship('rIdF', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${formats
      .map((format, at) =>
        typeof format === 'number'
          ? ''
          : `<numFmt numFmtId="${164 + at}" formatCode="${format.replaceAll('"', '&quot;')}"/>`,
      )
      .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${codes
      .map((id) => `<xf numFmtId="${id}"/>`)
      .join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows, before = '', merged = [] }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${main}">${before}<sheetData>${rows}</sheetData>${
          merged.length === 0
            ? ''
            : `<mergeCells count="${merged.length}">${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
        }</worksheet>`,
      ]),
    ),
    ...files,
  });
}

/** A row of texts, each in its cell; an empty text is no cell. */
export function textRow(row: number, ...texts: readonly string[]): string {
  const cells = texts.map((text, at) =>
    text === '' ? '' : `<c r="${String.fromCharCode(65 + at)}${row}" t="inlineStr"><is><t>${text}</t></is></c>`,
  );
  return `<row r="${row}">${cells.join('')}</row>`;
}
