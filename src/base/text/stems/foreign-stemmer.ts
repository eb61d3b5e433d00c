/**
 * Stems of German, French, Spanish, Italian, Dutch and Portuguese words by the Snowball algorithms of M. F. Porter, without the
 * accents that are left, which people leave out as well. Stems of one language are compared only with one another.
 */
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { withoutMarks } from './fold.ts';

/** A language with stems of its own, by its code of ISO 639-1. */
export type StemmedLanguage = 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt';

const stemmers: Readonly<Record<StemmedLanguage, (word: string) => string>> = {
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
};

/** Characters; the algorithms take time for each ending that they try, and no word is as long. */
const maxLength = 60;

/** Whether the language of this code has stems of its own. */
export function isStemmed(language: string): language is StemmedLanguage {
  return Object.hasOwn(stemmers, language);
}

/** The stem of a lower-case word without marks; a longer one than 60 characters only loses its accents. */
export function foreignStem(language: StemmedLanguage, word: string): string {
  const stem = word.length > maxLength ? word : stemmers[language](word.normalize('NFC'));
  return withoutMarks(stem).replaceAll('ß', 'ss');
}
