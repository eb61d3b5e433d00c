/**
 * Questions in German, French, Spanish, Italian, Dutch and Portuguese: the language, by its function words; which of them no
 * question is about; and the kind of answer that the question words ask for. Questions in other languages are read as
 * English ones, by their words alone.
 */
import { languageOfText } from '../../../base/text/language.ts';
import { languageWords } from '../../../base/text/language-words.ts';
import { isStemmed, type StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import type { QuestionKind } from './question-kinds.ts';

export interface ForeignQuestion {
  readonly language: StemmedLanguage;
  readonly kind: QuestionKind;
  /** Lower-case words that say nothing about a subject. */
  readonly stopWords: ReadonlySet<string>;
}

/** The first that matches counts. The text is in lower case and begins with a space. */
const kinds: Readonly<Record<StemmedLanguage, readonly (readonly [RegExp, QuestionKind])[]>> = {
  de: [
    [/\s(?:wann|bis wann|seit wann|ab wann|an welchem tag|um wie ?viel uhr)\s/, 'date'],
    [/\s(?:wie ?viele|wie oft)\s/, 'count'],
    [/\s(?:wie ?viel|wie (?:hoch|lange|teuer|groß|weit|alt|schwer|schnell|warm))\s|\swas kostet\s/, 'amount'],
    [/\s(?:wer|wem|wen|wessen|bei wem|von wem)\s/, 'person'],
    [/\s(?:wo|wohin|woher)\s/, 'place'],
    [/\s(?:warum|wieso|weshalb)\s/, 'reason'],
    [/\swelche[rsnm]?\s/, 'which'],
    [/\swie\s/, 'manner'],
    [/\s(?:was|wofür|wozu)\s/, 'what'],
    [/^\s(?:ist|sind|war|hat|haben|kann|darf|dürfen|muss|gibt|soll|wird|werden|können)\s/, 'yesno'],
  ],
  fr: [
    [/\s(?:quand|quel jour|à quelle (?:heure|date)|jusqu'à quand)\s/, 'date'],
    [/\scombien (?:coûte|vaut|paie|faut)|\sà quel prix|\scombien de temps/, 'amount'],
    [/\scombien\s/, 'count'],
    [/\s(?:qui|à qui|avec qui)\s/, 'person'],
    [/\soù\s/, 'place'],
    [/\spourquoi\s/, 'reason'],
    [/\squel(?:le)?s?\s/, 'which'],
    [/\scomment\s/, 'manner'],
    [/\s(?:que|qu'est-ce|quoi)\s/, 'what'],
    [/^\s(?:est-ce|puis-je|peut-on|y a-t-il|faut-il|dois-je|a-t-on)/, 'yesno'],
  ],
  es: [
    [/\s(?:cuándo|a qué hora|qué día|hasta cuándo|desde cuándo)\s/, 'date'],
    [/\scuánto tiempo|\scuánto (?:cuesta|vale|mide|pesa|dura|se)\s/, 'amount'],
    [/\s(?:cuántos|cuántas|cuántas veces|cuánto|cuánta)\s/, 'count'],
    [/\s(?:quién|quiénes|con quién|a quién)\s/, 'person'],
    [/\s(?:dónde|adónde)\s/, 'place'],
    [/\spor qué\s/, 'reason'],
    [/\s(?:cuál|cuáles)\s/, 'which'],
    [/\scómo\s/, 'manner'],
    [/\squé\s/, 'what'],
    [/^\s(?:hay|se puede|puedo|es|son|está|tiene|debo)\s/, 'yesno'],
  ],
  it: [
    [/\s(?:quando|a che ora|in che giorno|fino a quando)\s/, 'date'],
    [/\squanto (?:costa|dura|pesa|misura|tempo)\s/, 'amount'],
    [/\squant[oiae]\s/, 'count'],
    [/\schi\s/, 'person'],
    [/\sdove\s/, 'place'],
    [/\sperché\s/, 'reason'],
    [/\squal[ei]\s/, 'which'],
    [/\scome\s/, 'manner'],
    [/\s(?:che|cosa)\s/, 'what'],
    [/^\s(?:è|c'è|ci sono|posso|si può|sono)\s/, 'yesno'],
  ],
  nl: [
    [/\s(?:wanneer|hoe laat|op welke dag)\s/, 'date'],
    [/\shoeveel (?:kost|is|betaal)|\shoe (?:lang|hoog|groot|duur|ver|oud|zwaar)\s|\swat kost\s/, 'amount'],
    [/\s(?:hoeveel|hoe vaak)\s/, 'count'],
    [/\s(?:wie|bij wie|van wie)\s/, 'person'],
    [/\s(?:waar|waarheen)\s/, 'place'],
    [/\swaarom\s/, 'reason'],
    [/\swelke?\s/, 'which'],
    [/\shoe\s/, 'manner'],
    [/\swat\s/, 'what'],
    [/^\s(?:is|zijn|mag|kan|moet|heeft|wordt)\s/, 'yesno'],
  ],
  pt: [
    [/\s(?:quando|a que horas|em que dia|até quando)\s/, 'date'],
    [/\squanto (?:custa|tempo|pesa|mede|dura)\s/, 'amount'],
    [/\squant[oa]s?\s/, 'count'],
    [/\squem\s/, 'person'],
    [/\sonde\s/, 'place'],
    [/\spor ?que\s/, 'reason'],
    [/\squa(?:l|is)\s/, 'which'],
    [/\scomo\s/, 'manner'],
    [/\s(?:que|o que)\s/, 'what'],
    [/^\s(?:há|é|são|posso|pode|está|tem)\s/, 'yesno'],
  ],
};

/** The question as one of these languages; undefined if it is English or its words do not tell. Reads 1,000 characters. */
export function readForeignQuestion(text: string): ForeignQuestion | undefined {
  const language = languageOfText(text);
  const stopWords = language === undefined ? undefined : languageWords.get(language);
  if (language === undefined || !isStemmed(language) || stopWords === undefined) return undefined;
  const spaced = ` ${text
    .slice(0, 1_000)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, ' ')
    .replaceAll('’', "'")
    .trim()} `;
  return { language, kind: kinds[language].find(([pattern]) => pattern.test(spaced))?.[1] ?? 'none', stopWords };
}
