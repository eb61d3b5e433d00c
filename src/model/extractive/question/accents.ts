/**
 * Questions typed without accents: "cuando abre", "a quelle heure", "Wann ist geoeffnet". Words are compared without them, but what a
 * question asks for is recognised by words with their accents, which are therefore restored. So is an umlaut that is written as two
 * letters, where the sources have the word.
 */
import { languageOfText } from '../../../base/text/language.ts';
import type { Source } from '../text/passages.ts';

/** Characters of the longest text that is read. */
const maxCharacters = 500;

type Replacement = readonly [pattern: RegExp, restored: string];

/** A Spanish word that asks, as the first of a question or after a preposition: in mid-sentence, "cuando" joins. */
const spanishStart = String.raw`(?<=^\P{L}*(?:(?:y|a|de|con|hasta|desde|por|para|en|sobre) )?)`;

const replacements: Readonly<Partial<Record<string, readonly Replacement[]>>> = {
  de: [
    [/(?<!\p{L})(ge|er)?oeffn(?=\p{Ll})/giu, '$1öffn'],
    [/(?<!\p{L})(g?e?)schliesst(?!\p{L})/giu, '$1schließt'],
    [/(?<!\p{L})(ab)?faehrt(?!\p{L})/giu, '$1fährt'],
    [/(?<!\p{L})(d)uerf(?=en|te)/giu, '$1ürf'],
    [/(?<!\p{L})(k)oenn(?=en|te)/giu, '$1önn'],
    [/(?<!\p{L})(m)uess(?=en|te)/giu, '$1üss'],
    [/(?<!\p{L})(f)uer(?!\p{L})/giu, '$1ür'],
    [/(?<!\p{L})(g)ross(?=(?:e[nrsm]?)?(?!\p{L}))/giu, '$1roß'],
    [/(?<!\p{L})(k)uendig/giu, '$1ündig'],
    [/(?<!\p{L})(t)aeglich/giu, '$1äglich'],
    [/(?<!\p{L})(m)aerz(?!\p{L})/giu, '$1ärz'],
  ],
  fr: [
    [/(?<!\p{L})a (?=quel(?:le)?s? (?:heure|date|prix|âge|age)(?!\p{L}))/giu, 'à '],
    [/(?<=(?<!\p{L})jusqu['’])a(?= (?:quand|quel))/giu, 'à'],
    [
      /(?<=^\P{L}*(?:(?:et|d['’]) ?)?)ou(?= (?:est|sont|se|puis|peut|peux|faut|dois|va|vont|trouver|acheter|aller|il|elle|on|a-t)(?!\p{L}))/giu,
      'où',
    ],
    [/(?<!\p{L})(c)out(?=e(?:nt|ra)?(?!\p{L}))/giu, '$1oût'],
    [/(?<=(?<!\p{L})(?:est|sont)[- ](?:(?:ils?|elles?|on)[- ])?)(f)erme(e?s?)(?!\p{L})/giu, '$1ermé$2'],
    [/(?<!\p{L})(n)umero(?=s?(?!\p{L}))/giu, '$1uméro'],
    [/(?<=(?<!\p{L})quel )age(?!\p{L})/giu, 'âge'],
  ],
  es: [
    [new RegExp(`${spanishStart}(c)u(?=anto|anta|ando)a`, 'giu'), '$1uá'],
    [new RegExp(`${spanishStart}(c)ual(?=(?:es)?(?!\\p{L}))`, 'giu'), '$1uál'],
    [new RegExp(`${spanishStart}(q)uien(?=(?:es)?(?!\\p{L}))`, 'giu'), '$1uién'],
    [new RegExp(`${spanishStart}(d)onde(?!\\p{L})`, 'giu'), '$1ónde'],
    [new RegExp(`${spanishStart}(q)ue(?!\\p{L})`, 'giu'), '$1ué'],
    [/(?<=^\P{L}*)(c)omo(?!\p{L})/giu, '$1ómo'],
    [/(?<!\p{L})(s)abado(?=s?(?!\p{L}))/giu, '$1ábado'],
    [/(?<!\p{L})(m)iercoles(?!\p{L})/giu, '$1iércoles'],
    [/(?<!\p{L})(d)ia(?=s?(?!\p{L}))/giu, '$1ía'],
    [/(?<!\p{L})(t)elefono(?=s?(?!\p{L}))/giu, '$1eléfono'],
    [/(?<!\p{L})(n)umero(?=s?(?!\p{L}))/giu, '$1úmero'],
    [/(?<!\p{L})(e)sta(?=n? (?:\p{L}+ ){0,3}(?:abiert|cerrad|permitid|prohibid))/giu, '$1stá'],
  ],
  it: [
    [/(?<!\p{L})(p)erche(?!\p{L})/giu, '$1erché'],
    [/(?<!\p{L})(c['’])e(?= )/giu, '$1è'],
    [/(?<!\p{L})(s)i puo(?!\p{L})/giu, '$1i può'],
    [/(?<=(?<!\p{L})che )(e)ta(?!\p{L})/giu, '$1tà'],
  ],
  pt: [
    [/(?<!\p{L})(a)te quando(?!\p{L})/giu, '$1té quando'],
    [/(?<!\p{L})(s)abado(?=s?(?!\p{L}))/giu, '$1ábado'],
    [/(?<!\p{L})(t)erca(?!\p{L})/giu, '$1erça'],
    [/(?<=^\P{L}*)ha(?= )/giu, 'há'],
  ],
};

/** The question with the accents that its words have; one that has them already, and one in English, as it is. */
export function withAccents(question: string, sources: readonly Source[]): string {
  if (question.length > maxCharacters) return question;
  // "donde aparco": a single Spanish word does not tell a language.
  const language = languageOfText(question) ?? (spanishWord.test(question) ? 'es' : undefined);
  const restored = (replacements[language ?? ''] ?? []).reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    question,
  );
  return withUmlauts(restored, sources);
}

const spanishWord =
  /^\P{L}*(?:(?:a|de|con|hasta|desde|por|en) )?(?:cuando|cuant[oa]s?|donde|quien(?:es)?|cual(?:es)?)(?!\p{L})/iu;

/** "ue" may be of "neue" or "Quelle" as well. */
const twoLetters = /(?<![aeiouäöüq])[aou]e/giu;
const word = /(?<![\p{L}\p{N}])\p{L}{4,40}(?![\p{L}\p{N}])/gu;
const umlauts: Readonly<Record<string, string>> = { ae: 'ä', oe: 'ö', ue: 'ü', Ae: 'Ä', Oe: 'Ö', Ue: 'Ü' };
/** Letters from the beginning on that a word of the sources needs to have in common: "Gaesten", "Gäste". Set by hand. */
const endLetters = 2;

/** Each word of which the sources have the beginning with umlauts, and not as it is written. */
function withUmlauts(question: string, sources: readonly Source[]): string {
  if (question.search(twoLetters) < 0) return question;
  const texts = sources.map(({ title, headings, text }) => `${title} ${headings} ${text}`);
  if (!texts.some((text) => /[äöü]/i.test(text))) return question;
  const text = texts.join(' ').toLowerCase();
  return question.replace(word, (written) => {
    const meant = written.replace(twoLetters, (pair) => umlauts[pair] ?? pair);
    const begin = (each: string) => each.toLowerCase().slice(0, Math.max(4, each.length - endLetters));
    // "Blüte" does not have "blue": a short word is to be one of the sources itself.
    const lead = begin(meant).length <= 4 ? String.raw`(?<!\p{L})` : '';
    const rest = meant.length <= 4 ? String.raw`(?!\p{L})` : '';
    const isMeant =
      meant !== written && /[äöü]/.test(begin(meant)) && new RegExp(`${lead}${begin(meant)}${rest}`, 'u').test(text);
    return isMeant && !text.includes(written.toLowerCase()) ? meant : written;
  });
}
