/**
 * Numbers as their format shows them (ECMA-376-1, 18.8.30 and 18.8.31), where that is certain in every country: dates and times
 * in ISO 8601, and the digits, percents, units and currencies of simple formats, with a point and without separators of thousands.
 * A number in any other format is shown in full.
 */
import { dateOfSerial, type ShownParts } from './dates.ts';

/** A number as text. Never throws. */
export type ShowNumber = (value: number) => string;

/** Formats that files refer to by number, without their text (ECMA-376-1, 18.8.30); the others are numbers in full. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
};

/** Those that are dates in East Asian files; these numbers have no other meaning. */
const eastAsianDates: ReadonlySet<number> = new Set([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]);

/** Text of one format; longer ones are not read. ECMA-376-1 allows 255 characters. */
const maxCodeChars = 1_000;

/** The text of a format by its number; undefined if numbers are shown in full. */
export function builtInFormat(id: number): string | undefined {
  return eastAsianDates.has(id) ? 'yyyy-mm-dd' : builtIn[id];
}

/** A number without the noise of binary fractions: 15 digits, as office programs compute. */
export function plainNumber(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** A number rounded half up to decimals, as it would be done by hand: 1.005 is 1.01. */
export function fixedNumber(value: number, decimals: number): string {
  const plain = plainNumber(value);
  if (plain.includes('e') || decimals > 15) return plain;
  const sign = plain.startsWith('-') ? '-' : '';
  const rounded = Number(`${Math.round(Number(`${plain.replace('-', '')}e${decimals}`))}e-${decimals}`).toFixed(
    decimals,
  );
  return (Number(rounded) === 0 ? '' : sign) + rounded;
}

/** How a format shows numbers; `from1904` is the first year of the file's dates. */
export function readNumberFormat(code: string, from1904: boolean): ShowNumber {
  if (code === '' || code.length > maxCodeChars || /^general$|^standard$/i.test(code)) return plainNumber;
  const [positive = '', negative, zero] = sectionsOf(code);
  // Conditions choose a section by the number itself.
  if (/\[[<>=]/.test(code)) return plainNumber;
  const parts = datePartsOf(positive);
  if (parts !== undefined) return (value) => dateOfSerial(value, parts, from1904) ?? plainNumber(value);
  const shown = readSection(positive);
  const below = negative === undefined ? undefined : negative === '' ? () => '' : readSection(negative);
  return (value) => {
    if (value === 0 && zero === '') return '';
    if (value >= 0 || below === undefined) return shown(value);
    const text = below(-value).replace(/^\((.*)\)$/, '$1');
    return text === '' || text.startsWith('-') ? text : `-${text}`;
  };
}

/** The parts of a code divided by semicolons that are not text. */
function sectionsOf(code: string): string[] {
  return (code.match(/(?:"[^"]*"?|\\.|\[[^\]]*\]?|[^;"\\[])+|;/gs) ?? []).reduce<string[]>(
    (sections, part) => {
      if (part === ';') sections.push('');
      else sections[sections.length - 1] += part;
      return sections;
    },
    [''],
  );
}

/** What a format shows of dates; undefined if it is for other numbers. */
function datePartsOf(section: string): ShownParts | undefined {
  const elapsed = /\[(?:h+|m+|s+)\]/i.test(section);
  const letters = section
    .replace(/\[(h+|m+|s+)\]/gi, '$1')
    .replace(/\[[^\]]*\]|"[^"]*"?|\\.|[_*]./gs, '')
    .replace(/general|e[+-]|am\/pm|a\/p/gi, '')
    .toLowerCase();
  // Digits belong to numbers, or to fractions of seconds.
  if (/[#?]/.test(letters) || !/[ymdhs]/.test(letters) || (/0/.test(letters) && !/s/.test(letters))) return undefined;
  // A letter m beside hours or seconds is minutes, else a month.
  const withoutMinutes = letters.replace(/(h[^a-z]*)m{1,2}(?!m)/g, '$1').replace(/m{1,2}([^a-z]*s)/g, '$1');
  return {
    year: /[yeg]/.test(letters),
    month: /m/.test(withoutMinutes) && (!elapsed || /[yd]/.test(letters)),
    day: /d/.test(letters),
    time: /[hs]/.test(letters) || elapsed,
    seconds: /s/.test(letters),
    elapsed,
  };
}

/** How one section shows numbers that are not dates. */
function readSection(section: string): ShowNumber {
  const texts: string[] = [];
  /** One character of private use stands for each text, so that its signs are not read as a format. */
  const hold = (text: string) => String.fromCharCode(0xdfff + texts.push(text));
  const bare = section
    .replace(/"([^"]*)"?|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*./gs, (_, quoted, escaped, currency) =>
      hold(quoted ?? escaped ?? currency ?? ''),
    )
    .replace(/\u00a0/g, ' ');
  const [, before, whole, , decimals = '', after] =
    /^([^#0?.%@/]*)([#0?][#0?,]*|(?=\.))(\.([#0?]*))?([^#0?.@/]*)$/.exec(bare) ?? [];
  const isScaled = whole === undefined || /,$/.test(whole) || /^,/.test(after ?? '') || after!.split('%').length > 2;
  if (isScaled || /general|e[+-]/i.test(bare)) return plainNumber;
  const restore = (text: string) =>
    text.replace(/%/g, '').replace(/[\ue000-\ue7ff]/g, (at) => texts[at.charCodeAt(0) - 0xe000] ?? '');
  const [prefix, suffix] = [restore(before!).trimStart(), restore(after!).trimEnd()];
  const isPercent = bare.includes('%');
  const minDecimals = decimals.replace(/[^0]/g, '').length;
  const minWhole = whole.replace(/[^0]/g, '').length;
  return (value) => {
    const number = fixedNumber(isPercent ? Number((value * 100).toPrecision(15)) : value, decimals.length);
    const [, sign = '', units = number, digits = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
    const kept = digits.replace(/0+$/, '').padEnd(minDecimals, '0');
    const shown = `${units.padStart(minWhole, '0')}${kept === '' ? '' : `.${kept}`}${isPercent ? '%' : ''}`;
    return `${sign}${prefix}${shown}${suffix}`.replace(/\s+/g, ' ').trim();
  };
}
