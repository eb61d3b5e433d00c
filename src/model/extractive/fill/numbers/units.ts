/** Units as texts and names of fields have them: what they measure, and how one is converted to another. */

/** What a number measures; those that one unit alone measures are named like it. */
export type Dimension = string;

/** Name, dimension, factor to the smallest unit; weeks, months and years are converted only among themselves. */
const units: readonly (readonly [string, Dimension, number, RegExp])[] = [
  ['ms', 'time', 1, /^(?:ms|millis|milliseconds?|millisekunden?)$/],
  ['s', 'time', 1e3, /^(?:s|secs?|seconds?|sekunden?|secondes?|segundos?|secondi)$/],
  ['min', 'time', 6e4, /^(?:mins?|minutes?|minuten?|minutos?|minuti|minuto)$/],
  ['h', 'time', 3.6e6, /^(?:h|hrs?|hours?|stunden?|heures?|horas?|ore|uur|uren)$/],
  ['day', 'time', 8.64e7, /^(?:days?|tagen?|tage|jours?|días?|dias?|giorni|giorno|dagen|dag)$/],
  ['week', 'week', 1, /^(?:weeks?|wochen?|semaines?|semanas?|settimane|weken)$/],
  ['month', 'month', 1, /^(?:months?|monate?n?|mois|mes(?:es)?|mesi|maanden?|maand)$/],
  ['year', 'month', 12, /^(?:years?|yrs?|jahren?|jahre|ans?|années?|años?|anos?|anni|jaren|jaar)$/],
  ['%', 'share', 1, /^(?:%|percent|percentage|pct|prozent)$/],
  [
    'money',
    'money',
    1,
    /^(?:usd|eur|gbp|chf|sek|nok|dkk|jpy|inr|[$€£¥₹]|dollars?|euros?|pounds? sterling|francs?|kr|kronor|kroner|cents?|rupees?)$/,
  ],
  ['byte', 'size', 1, /^bytes?$/],
  ['kb', 'size', 1e3, /^kb$/],
  ['kib', 'size', 1024, /^kib$/],
  ['mb', 'size', 1e6, /^(?:mb|megabytes?)$/],
  ['mib', 'size', 1024 ** 2, /^mib$/],
  ['gb', 'size', 1e9, /^(?:gb|gigabytes?)$/],
  ['gib', 'size', 1024 ** 3, /^gib$/],
  ['tb', 'size', 1e12, /^(?:tb|terabytes?)$/],
  ['mm', 'length', 1, /^(?:mm|millimet(?:er|re)s?)$/],
  ['cm', 'length', 10, /^(?:cm|centimet(?:er|re)s?)$/],
  ['m', 'length', 1e3, /^(?:m|met(?:er|re)s?|metern|mètres?|metros?|metri)$/],
  ['km', 'length', 1e6, /^(?:km|kilomet(?:er|re)s?)$/],
  ['mile', 'length', 1_609_344, /^(?:miles?|mi)$/],
  ['ft', 'length', 304.8, /^(?:feet|ft|foot)$/],
  ['inch', 'length', 25.4, /^(?:inch(?:es)?)$/],
  ['g', 'mass', 1, /^(?:g|grams?|gramm)$/],
  ['kg', 'mass', 1e3, /^(?:kg|kilos?|kilograms?)$/],
  ['t', 'mass', 1e6, /^(?:t|tonnes?)$/],
  ['lb', 'mass', 453.592_37, /^(?:lbs?)$/],
  ['ml', 'volume', 1, /^(?:ml|millilit(?:er|re)s?)$/],
  ['l', 'volume', 1e3, /^(?:l|lit(?:er|re)s?)$/],
  ['°c', 'temperature', 1, /^(?:°c|celsius)$/],
  ['°f', 'fahrenheit', 1, /^(?:°f|fahrenheit)$/],
  ['w', 'watt', 1, /^(?:w|watts?)$/],
  ['kw', 'watt', 1e3, /^(?:kw|kilowatts?)$/],
  ['hz', 'hertz', 1, /^(?:hz|hertz)$/],
  ['khz', 'hertz', 1e3, /^khz$/],
  ['mhz', 'hertz', 1e6, /^mhz$/],
  ['ghz', 'hertz', 1e9, /^ghz$/],
  ['v', 'volt', 1, /^(?:v|volts?)$/],
  ['rpm', 'rpm', 1, /^rpm$/],
  ['nm', 'torque', 1, /^nm$/],
  ['bar', 'bar', 1, /^bar$/],
  ['db', 'decibel', 1, /^(?:db|decibels?)$/],
  ['mph', 'mph', 1, /^mph$/],
  ['kmh', 'kmh', 1, /^(?:km\/h|kmh|kph)$/],
];

const byName = new Map(units.map((unit) => [unit[0], unit]));

const cache = new Map<string, string>();

/** The unit, `ms` or `km`, that a written one or a word of a field's name is; '' if it is not a unit. */
export function unitOf(written: string): string {
  const word = written.toLowerCase();
  const known = cache.get(word);
  if (known !== undefined) return known;
  const unit = units.find(([, , , pattern]) => pattern.test(word))?.[0] ?? '';
  if (cache.size > 5000) cache.clear();
  cache.set(word, unit);
  return unit;
}

const named: readonly (readonly [Dimension, RegExp])[] = [
  [
    'money',
    /^(?:price|prices|cost|costs|fee|fees|rent|salary|budget|deposit|fine|revenue|grant|usd|eur|gbp|preis|kaution|prix|precio|discount)$/i,
  ],
  ['time', /^(?:timeout|duration|interval|period|delay|ttl|lifetime)$/i],
  ['length', /^(?:height|width|length|depth|distance|diameter)$/i],
  ['mass', /^(?:weight|mass)$/i],
  ['temperature', /^(?:temperature|celsius)$/i],
  ['share', /^(?:percent|percentage|pct|share)$/i],
];

/** What a field measures, by its unit or a word of its name; undefined if neither says. */
export function dimensionOf(unit: string, names: readonly string[]): Dimension | undefined {
  if (unit !== '') return byName.get(unit)![1];
  for (const name of [...names].reverse()) {
    const known = named.find(([, pattern]) => pattern.test(name));
    if (known !== undefined) return known[0];
  }
  return undefined;
}

/** The dimension of a unit; undefined for ''. */
export function dimensionOfUnit(unit: string): string | undefined {
  return byName.get(unit)?.[1];
}

/** A number converted to another unit of the same quantity, unchanged without a unit to convert to; undefined if it cannot be. */
export function convert(value: number, from: string, to: string): number | undefined {
  if (from === to || to === '') return value;
  const [source, target] = [byName.get(from), byName.get(to)];
  if (source === undefined || target === undefined || source[1] !== target[1]) return undefined;
  return Number(((value * source[2]) / target[2]).toPrecision(12));
}

/** The units that a text names without a number: "in milliseconds", "Distance (km)"; and a label, "Working hours". */
export function namedUnits(text: string, label = ''): string[] {
  const ofLabel =
    label.match(/(?<![\p{L}-])(?:hours|days|weeks|months|years|Stunden|Tage|Wochen|Monate|Jahre)(?=\P{L}*$)/iu) ?? [];
  const found = text.match(/(?<=\bin |\()\p{L}{1,13}(?=\)|\b)|\b(?:milli)?seconds\b|\bminutes\b|[€$£%]/gu) ?? [];
  return [...new Set([...ofLabel, ...found].map(unitOf).filter(Boolean))];
}
