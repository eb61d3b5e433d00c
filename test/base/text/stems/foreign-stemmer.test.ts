import { describe, expect, it } from 'vitest';
import { foreignStem, isStemmed, type StemmedLanguage } from '../../../../src/base/text/stems/foreign-stemmer.ts';

const forms: Readonly<Record<StemmedLanguage, readonly (readonly string[])[]>> = {
  de: [
    ['kündigung', 'kündigungen', 'kundigung'],
    ['haustier', 'haustiere'],
    ['straße', 'strasse'],
  ],
  fr: [
    ['réservation', 'réservations', 'reservation'],
    ['emprunter', 'emprunté', 'empruntez'],
  ],
  es: [
    ['descuento', 'descuentos'],
    ['niño', 'niños', 'nino'],
  ],
  it: [
    ['prenotazione', 'prenotazioni'],
    ['bambino', 'bambini'],
  ],
  nl: [
    ['hond', 'honden'],
    ['betaling', 'betalingen'],
  ],
  pt: [
    ['reserva', 'reservas'],
    ['criança', 'crianças', 'crianca'],
  ],
};

describe('foreignStem', () => {
  for (const [language, groups] of Object.entries(forms))
    it(`returns one stem for the forms of a word in ${language}, with and without accents`, () => {
      if (!isStemmed(language)) throw new Error(`${language} has no stems`);
      for (const group of groups) expect(new Set(group.map((word) => foreignStem(language, word)))).toHaveLength(1);
    });

  it('leaves a word of more than 60 characters as it is, without its accents', () => {
    expect(foreignStem('de', `${'ü'.repeat(61)}ungen`)).toBe(`${'u'.repeat(61)}ungen`);
  });

  it('has no stems of English and of languages that it does not know', () => {
    expect(['en', 'ja', 'toString'].filter(isStemmed)).toEqual([]);
  });
});
