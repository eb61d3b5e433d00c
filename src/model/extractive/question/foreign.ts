/**
 * Questions in German, French, Spanish, Italian, Dutch and Portuguese: the language, by its function words; which of them no
 * question is about; and the kind of answer that the question words ask for. Questions in other languages are read as
 * English ones, by their words alone.
 */
import { functionWords } from '../../../base/text/stop-words.ts';
import type { QuestionKind } from './question-kinds.ts';

export interface ForeignQuestion {
  readonly language: string;
  readonly kind: QuestionKind;
  /** Lower-case words that say nothing about a subject. */
  readonly stopWords: ReadonlySet<string>;
}

interface Language {
  readonly words: ReadonlySet<string>;
  /** The first that matches counts. The text is in lower case and begins with a space. */
  readonly kinds: readonly (readonly [RegExp, QuestionKind])[];
}

const languages: Readonly<Record<string, Language>> = {
  de: {
    words:
      wordsIn(`aber als am an auch auf aus bei bin bis bist da dann das dass dem den der des die dies diese dieser dieses
      durch ein eine einem einen einer eines er es für gibt haben habe hat ich ihr im in ist ja kann kannst können man mehr mein
      meine meinen mich mir mit muss müssen nach nicht noch nur ob oder ohne sein seine sich sie sind so soll sollte über um
      und uns unser von vor war waren warum was wann welche welchem welchen welcher welches wem wen wenn wer werden weshalb wie
      wieso wieviel wird wo wofür woher wohin wozu wurde wurden viel viele zu zum zur darf dürfen lange hoch`),
    kinds: [
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
  },
  fr: {
    words:
      wordsIn(`a ai à au aux avec ce ces cette combien comment c d dans de des du doit elle en entre est et eux faut il
      ils j je l la le les leur leurs là lui ma mais me mes moi mon n ne nos notre nous on ont ou où par pas peut peux plus
      pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sur t ta te tu un une
      vos votre vous y été être avez fait temps`),
    kinds: [
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
  },
  es: {
    words:
      wordsIn(`a al algo ante cada como cómo con cual cuál cuáles cuando cuándo cuanta cuánta cuántas cuanto cuánto cuántos
      de del desde donde dónde e el él ella en entre era es esa ese eso esta está están este esto fue ha hace hacia hasta hay la
      las le les lo los más me mi mis muy no nos o para pero por porque puede puedo qué que quién quiénes se ser si sin sobre
      son su sus también te tengo tiene tu tus un una uno unos y ya sirve`),
    kinds: [
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
  },
  it: {
    words:
      wordsIn(`a ai al alla alle anche che chi ci come con cosa cui da dal dalla degli dei del della delle di dove e è era
      gli ha hanno ho i il in la le lo ma mi mia mio nel nella non o per perché più posso può quale quali quando quanta quante
      quanti quanto se si sono su sua suo sul sulla tra un una uno vi costa`),
    kinds: [
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
  },
  nl: {
    words:
      wordsIn(`aan al als bij dan dat de deze die dit door een en er had heb heeft het hij hoe hoeveel ik in is je kan maar
      me mag met mij mijn moet naar niet nog of om onder ons onze ook op over te tot uit u van veel voor waar waarom wanneer
      waren was wat welk welke wie word worden wordt zal ze zich zij zijn zo zonder zou lang`),
    kinds: [
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
  },
  pt: {
    words:
      wordsIn(`a à ao aos as às até com como da das de dela dele do dos e é ela ele em entre era essa esse esta está este
      eu foi há isso já lhe mais mas me meu minha na não nas no nos o onde os ou para pela pelo pode por porque posso qual
      quais quando quanta quantas quanto quantos que quem são se sem ser seu sua são também tem tenho um uma`),
    kinds: [
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
  },
};

/** Function words of a language that a question needs, as a share of the question's words: English ones count against it. */
const minShare = 0.3;

/** The question as one of these languages; undefined if it is English or its words do not tell. Reads 1,000 characters. */
export function readForeignQuestion(text: string): ForeignQuestion | undefined {
  const lower = text.slice(0, 1_000).toLowerCase();
  const words = lower.match(/[\p{L}\p{M}]+/gu) ?? [];
  const count = (known: ReadonlySet<string>) => words.filter((word) => known.has(word)).length;
  let best: string | undefined;
  let most = Math.max(count(functionWords), minShare * words.length);
  for (const [language, { words: own }] of Object.entries(languages)) {
    const hits = count(own);
    if (hits <= most) continue;
    most = hits;
    best = language;
  }
  if (best === undefined) return undefined;
  const { kinds, words: stopWords } = languages[best]!;
  const spaced = ` ${lower
    .replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, ' ')
    .replaceAll('’', "'")
    .trim()} `;
  return { language: best, kind: kinds.find(([pattern]) => pattern.test(spaced))?.[1] ?? 'none', stopWords };
}

function wordsIn(list: string): Set<string> {
  return new Set(list.trim().split(/\s+/));
}
