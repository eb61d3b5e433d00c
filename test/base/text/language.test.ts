/** In which language a text is, by its script and its commonest words. */
import { describe, expect, it } from 'vitest';
import { languageOf, languageOfText } from '../../../src/base/text/language.ts';

describe('the language of a text', () => {
  it.each([
    ['The bridge was opened in 1931 and is still in use.', 'en'],
    ['Die Brücke wurde 1931 eröffnet und ist noch immer in Betrieb.', 'de'],
    ['Le pont a été ouvert en 1931 et il est encore utilisé.', 'fr'],
    ['El puente fue inaugurado en 1931 y sigue en uso por la ciudad.', 'es'],
    ['Il ponte è stato aperto nel 1931 e non è più in uso.', 'it'],
    ['A ponte foi aberta em 1931 e não é usada pela cidade.', 'pt'],
    ['De brug werd in 1931 geopend en is nog steeds in gebruik door het leger.', 'nl'],
    ['Entworfen wurde sie von der Ingenieurin Ada Lindqvist.', 'de'],
    ['Мост был открыт в 1931 году.', 'ru'],
    ['橋は1931年に開通した。', 'ja'],
    ['大桥于1931年开通。', 'zh'],
    ['다리는 1931년에 개통되었다.', 'ko'],
    ['¿Hay piscina?', 'es'],
    ['Was kostet die Miete?', 'de'],
    ['Qui paie le repas ?', 'fr'],
    ['Chi paga la cena?', 'it'],
    ['Há wifi?', 'pt'],
  ])('is known of "%s": %s', (text, language) => {
    expect(languageOfText(text)).toBe(language);
  });

  it.each(['Marlow Strait Bridge', '', '1931', 'Die Hard', 'Grand Prix', 'come together album'])(
    'is unknown of "%s"',
    (text) => {
      expect(languageOfText(text)).toBeUndefined();
    },
  );

  it('is not that of a foreign name in it', () => {
    expect(languageOfText('What does Москва mean in English texts of the time?')).toBe('en');
  });

  it('is found without accents, too', () => {
    expect(languageOf(['el', 'faro', 'esta', 'en', 'la', 'costa', 'desde', 'anos', 'por', 'que'])).toBe('es');
  });
});
