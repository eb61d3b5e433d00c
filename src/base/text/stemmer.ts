/**
 * The stem of an English word as SQLite's `porter` tokenizer makes it (M. F. Porter, "An algorithm for suffix
 * stripping", Program 14(3), 1980), so that what the index matched can be found again in a passage's text.
 */

/** Of a lower-case word; what is not all a-z, or is shorter than three letters, stays as it is. */
export function stem(word: string): string {
  if (word.length < 3 || word.length > 60 || !/^[a-z]+$/.test(word)) return word;
  return [step1a, step1b, step1c, step2, step3, step4, step5].reduce((stemmed, step) => step(stemmed), word);
}

type Endings = readonly (readonly [ending: string, replacement: string])[];

const step2Endings: Endings = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['alli', 'al'],
  ['ator', 'ate'],
  ['logi', 'log'],
  ['bli', 'ble'],
  ['eli', 'e'],
];

const step3Endings: Endings = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

const step4Endings = 'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic ou'.split(' ');

function step1a(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function step1b(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const base = word.endsWith('ed') ? word.slice(0, -2) : word.endsWith('ing') ? word.slice(0, -3) : undefined;
  if (base === undefined || !hasVowel(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiou])\1$/.test(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base;
}

function step1c(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

function step2(word: string): string {
  return replaceEnding(word, step2Endings);
}

function step3(word: string): string {
  return replaceEnding(word, step3Endings);
}

function step4(word: string): string {
  const ending = step4Endings.find((candidate) => word.endsWith(candidate));
  if (ending === undefined) return word;
  const base = word.slice(0, -ending.length);
  return measure(base) > 1 && (ending !== 'ion' || /[st]$/.test(base)) ? base : word;
}

function step5(word: string): string {
  let stemmed = word;
  if (word.endsWith('e')) {
    const base = word.slice(0, -1);
    if (measure(base) > 1 || (measure(base) === 1 && !endsShort(base))) stemmed = base;
  }
  return stemmed.endsWith('ll') && measure(stemmed) > 1 ? stemmed.slice(0, -1) : stemmed;
}

function replaceEnding(word: string, endings: Endings): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return word;
  const base = word.slice(0, -found[0].length);
  return measure(base) > 0 ? `${base}${found[1]}` : word;
}

/** How many times a vowel is followed by a consonant. */
function measure(base: string): number {
  return shape(base).match(/v+c/g)?.length ?? 0;
}

function hasVowel(base: string): boolean {
  return shape(base).includes('v');
}

/** Ends consonant, vowel, consonant, and the last is not w, x or y. */
function endsShort(base: string): boolean {
  return shape(base).endsWith('cvc') && !/[wxy]$/.test(base);
}

/** "c" for each consonant and "v" for each vowel; y is a vowel after a consonant. */
function shape(word: string): string {
  let shaped = '';
  for (const letter of word) shaped += 'aeiou'.includes(letter) || (letter === 'y' && shaped.endsWith('c')) ? 'v' : 'c';
  return shaped;
}
