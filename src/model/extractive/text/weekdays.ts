/** The days of the week that a text names, in seven languages: "Tuesday to Friday", "Di–Fr", "du mardi au samedi". */

/** From Monday on, as written in full and short. */
const names: readonly string[] = [
  'mondays?|montags?|lundis?|lunes|luned[iì]|maandags?|segundas?(?:-feira)?|mon?|lun',
  'tuesdays?|dienstags?|mardis?|martes|marted[iì]|dinsdags?|ter[cç]as?(?:-feira)?|tues?|di',
  'wednesdays?|mittwochs?|mercredis?|mi[eé]rcoles|mercoled[iì]|woensdags?|quartas?(?:-feira)?|wed|mi|mié',
  'thursdays?|donnerstags?|jeudis?|jueves|gioved[iì]|donderdags?|quintas?(?:-feira)?|thurs?|thu|do|jue',
  'fridays?|freitags?|vendredis?|viernes|venerd[iì]|vrijdags?|sextas?(?:-feira)?|fri?|vie',
  'saturdays?|samstags?|sonnabends?|samedis?|s[aá]bados?|sabato|zaterdags?|sat?|sam|sáb',
  'sundays?|sonntags?|dimanches?|domingos?|domenica|zondags?|sun|so|dim|dom',
];
const day = String.raw`(?<!\p{L})(?:${names.map((name) => `(${name})`).join('|')})\.?(?!\p{L})`;
const days = new RegExp(day, 'giu');
/** Characters of a short name with its full stop. */
const maxShort = 4;
/** What is between the first and the last day of several. */
const through = /^\s?(?:-|–|to|through|until|bis|au|al?|à|tot|t\/m)\s?$/i;
const everyDay =
  /(?<!\p{L})(?:daily|every day|seven days a week|täglich|tous les jours|todos los días|cada día|tutti i giorni|dagelijks|todos os dias)(?!\p{L})/iu;
const hour =
  /(?<![\d.:/–-])(?:1?\d|2[0-4])\s?[–-]\s?(?:1?\d|2[0-4])(?=$|[,;.)|]|\s(?:and|und|et|y|&)(?!\p{L}))|\d{1,2}(?:[:.]\d{2}|\s?(?:[ap]\.?m|Uhr|h(?:eures)?|uur|horas)(?!\p{L}))/iu;
const closed = /(?<!\p{L})(?:closed|geschlossen|fermée?|cerrad[oa]|chius[oa]|gesloten|fechad[oa])(?!\p{L})/iu;

/** The days by their numbers from Monday, 0, on; empty where none is named. */
export function weekdaysIn(text: string): ReadonlySet<number> {
  if (everyDay.test(text)) return new Set(names.keys());
  const mayBeShort = hasHours(text);
  const said = [...text.matchAll(days)].flatMap((match) => {
    const [written] = match;
    // "So" and "do" are words as well.
    const isWord = written.length <= maxShort && !(mayBeShort && /^\p{Lu}/u.test(written));
    const day = match.slice(1).findIndex((name) => name !== undefined);
    return isWord ? [] : [{ day, start: match.index, end: match.index + written.length }];
  });
  const all = new Set<number>();
  for (const [at, { day: last, start }] of said.entries()) {
    const before = said[at - 1];
    all.add(last);
    if (before === undefined || !through.test(text.slice(before.end, start))) continue;
    for (let next = before.day; next !== last; next = (next + 1) % names.length) all.add(next);
  }
  return all;
}

/** Whether a text says at what time, or that something is closed. */
export function hasHours(text: string): boolean {
  return hasTime(text) || closed.test(text);
}

/** Whether a text says at what time. */
export function hasTime(text: string): boolean {
  return hour.test(text);
}
