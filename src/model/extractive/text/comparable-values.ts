/**
 * The values of a column as numbers that compare: dates, amounts of money, figures with a unit. All cells of a column are read by one
 * rule, as "3.450" and "05/04/2026" alone do not say what they are.
 */
import { dayNumber } from '../../../base/text/dates/iso-day.ts';
import { monthNumbers } from '../../../base/text/dates/months.ts';

/** What the values of a column are; `number` if they have no unit. */
export type ValueDimension = 'date' | 'clock' | 'money' | 'weight' | 'length' | 'duration' | 'number';

/** The values of a column, one for each cell; undefined for a cell that says nothing. */
export interface ComparableColumn {
  readonly dimension: ValueDimension;
  readonly values: readonly (number | undefined)[];
}

/** How a date of figures and a number are written. */
interface Notation {
  readonly isMonthFirst: boolean;
  readonly decimal: '.' | ',';
}

interface Value {
  readonly dimension: ValueDimension;
  /** What follows the number, if it is no known unit: values of two kinds do not compare. */
  readonly kind: string;
  readonly value: number;
}

const empty = /^\W*(?:n\/?a|tbd|tbc|none|unknown|unbekannt|inconnu|desconocido)?\W*$/i;
const free = /^(?:free|no charge|free of charge|frei|kostenlos|kostenfrei|umsonst|gratis|gratuite?|gratuit[oa])$/i;
/** Characters of a cell that is a value; a longer one is a text. Set by hand. */
const maxLength = 40;

/** Units by what they measure, each with what it is in the smallest of them. */
export const unitsOfValues: ReadonlyMap<string, readonly [ValueDimension, number]> = new Map(
  (
    [
      ['weight', 1, 'g gram grams gramm grammes gramos grammi'],
      ['weight', 1_000, 'kg kilo kilos kilogram kilograms kilogramm'],
      ['weight', 1_000_000, 't tonne tonnes tonnen'],
      ['length', 1, 'mm'],
      ['length', 10, 'cm'],
      ['length', 1_000, 'm metre metres meter meters mètre mètres metro metros metri'],
      ['length', 1_000_000, 'km kilometre kilometres kilometer kilometers kilomètres kilómetros'],
      ['duration', 1, 's sec second seconds sekunde sekunden'],
      ['duration', 60, 'min mins minute minutes minuten minuto minutos minuti'],
      ['duration', 3_600, 'h hr hrs hour hours stunde stunden heure heures hora horas ora ore uur'],
      ['duration', 86_400, 'day days tag tage jour jours día días giorno giorni dag dagen dia dias'],
      ['duration', 7 * 86_400, 'week weeks woche wochen semaine semaines semana semanas settimana settimane'],
      ['duration', 30 * 86_400, 'month months monat monate mois mes meses mese mesi maand maanden'],
      ['duration', 365 * 86_400, 'year years yr yrs jahr jahre an ans año años anno anni jaar ano anos'],
    ] as const
  ).flatMap(([dimension, factor, words]) => words.split(' ').map((word) => [word, [dimension, factor]] as const)),
);
const currencies: Readonly<Record<string, string>> = {
  '€': '€',
  eur: '€',
  euro: '€',
  euros: '€',
  '£': '£',
  gbp: '£',
  pound: '£',
  pounds: '£',
  $: '$',
  usd: '$',
  dollar: '$',
  dollars: '$',
  chf: 'chf',
  'fr.': 'chf',
  franken: 'chf',
};
/**
 * The values of the cells of a column; undefined if one of them is no value, if they do not compare, or if fewer than two say anything.
 * Dates of figures that may be read in two ways are read by day first if `isMonthFirst` is not given.
 */
export function readColumn(cells: readonly string[], isMonthFirst?: boolean): ComparableColumn | undefined {
  const notation = { isMonthFirst: isMonthFirst ?? beginsWithMonth(cells) ?? false, decimal: decimalOf(cells) };
  const read = cells.map((cell) => (empty.test(cell) ? undefined : readValue(cell, notation)));
  if (read.some((value, at) => value === undefined && !empty.test(cells[at]!))) return undefined;
  const said = read.filter((value) => value !== undefined);
  const [first] = said.filter(({ kind }) => kind !== free.source);
  if (first === undefined || said.length < 2) return undefined;
  const isSame = ({ dimension, kind }: Value) =>
    kind === free.source
      ? first.dimension === 'money' || first.dimension === 'number'
      : dimension === first.dimension && kind === first.kind;
  if (!said.every(isSame)) return undefined;
  return { dimension: first.dimension, values: read.map((value) => value?.value) };
}

/** Whether the dates of figures have the month first; undefined if no cell tells. */
export function beginsWithMonth(cells: readonly string[]): boolean | undefined {
  const dates = cells.flatMap((cell) => {
    const [, one, separator, other] = figures.exec(cell.trim()) ?? [];
    return one === undefined ? [] : [{ one: Number(one), separator, other: Number(other) }];
  });
  if (dates.length === 0) return false;
  if (dates.some(({ one, separator }) => one > 12 || separator === '.')) return false;
  return dates.some(({ other }) => other > 12) ? true : undefined;
}

const figures = /^(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})$/;

function readValue(cell: string, notation: Notation): Value | undefined {
  const text = cell.trim();
  if (text.length > maxLength) return undefined;
  if (free.test(text)) return { dimension: 'money', kind: free.source, value: 0 };
  return readDate(text, notation) ?? readClock(text) ?? readAmount(text, notation);
}

function readDate(text: string, { isMonthFirst }: Notation): Value | undefined {
  const date = (...day: Parameters<typeof dayNumber>) => ({
    dimension: 'date' as const,
    kind: '',
    value: dayNumber(...day),
  });
  if (/^(?:1[5-9]|20)\d\d$/.test(text)) return date(Number(text));
  const iso = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]\d.*)?$/.exec(text);
  if (iso !== null) return date(Number(iso[1]), Number(iso[2]), Number(iso[3] ?? 0));
  const plain = figures.exec(text);
  if (plain !== null) {
    const [day, month] = isMonthFirst ? [plain[3], plain[1]] : [plain[1], plain[3]];
    const year = Number(plain[4]);
    return date(plain[4]!.length === 4 ? year : year + (year < 50 ? 2000 : 1900), Number(month), Number(day));
  }
  const named =
    /^(?:(\d{1,2})(?:st|nd|rd|th|\.|er)?\s+(?:of |de )?)?(\p{L}+)\.?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(?:de )?(\d{4})$/iu.exec(
      text,
    );
  const month = monthNumbers.get(named?.[2]?.toLowerCase() ?? '');
  return named === null || month === undefined
    ? undefined
    : date(Number(named[4]), month, Number(named[1] ?? named[3] ?? 0));
}

function readClock(text: string): Value | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})(?:\s?(?:h|Uhr))?$/.exec(text) ?? [];
  return hours === undefined
    ? undefined
    : { dimension: 'clock', kind: '', value: Number(hours) * 60 + Number(minutes) };
}

function readAmount(text: string, { decimal }: Notation): Value | undefined {
  const found = /^([€£$]|CHF|EUR|Fr\.)?\s?(-?\d[\d.,' ]*?)(?:[,.]-{1,2}|[,.]–)?\s?([\p{L}€£$%°²].*)?$/iu.exec(text);
  const digits = found?.[2]?.replace(/[' ]/g, '');
  if (found === null || digits === undefined) return undefined;
  const thousands = decimal === '.' ? ',' : '.';
  const value = Number(digits.replaceAll(thousands, '').replace(decimal, '.'));
  if (!Number.isFinite(value)) return undefined;
  const [word = '', ...others] = (found[3] ?? '').toLowerCase().split(/\s+/);
  const currency = currencies[(found[1] ?? '').toLowerCase()] ?? currencies[word];
  const rest = others.join(' ');
  if (currency !== undefined)
    return {
      dimension: 'money',
      kind: `${currency} ${found[1] === undefined ? rest : `${word} ${rest}`.trim()}`,
      value,
    };
  const unit = unitsOfValues.get(word);
  if (unit !== undefined) return { dimension: unit[0], kind: rest, value: value * unit[1] };
  return { dimension: 'number', kind: `${word.replace(/s$/, '')} ${rest}`, value };
}

/** What separates decimals: what is somewhere followed by other than three digits, at the end of a number; else a full stop. */
function decimalOf(cells: readonly string[]): '.' | ',' {
  for (const cell of cells) {
    const [, separator] = /\d([.,])(?:\d{1,2}|\d{4,}|–|-{1,2})(?![\d.,])/.exec(cell) ?? [];
    if (separator !== undefined && !figures.test(cell.trim())) return separator as '.' | ',';
  }
  // Without one, three digits after either are thousands, and those after "0" are not.
  if (cells.some((cell) => /(?<!\d)0,\d/.test(cell))) return ',';
  if (cells.some((cell) => /(?<!\d)0\.\d/.test(cell))) return '.';
  return cells.some((cell) => /\d\.\d{3}(?!\d)/.test(cell)) ? ',' : '.';
}
