/**
 * Units that cannot answer though they share most words with a question: the row of rack 3 for "Which boats are on rack 4?", a row of
 * Bremen for "Who is not from Bremen?", a tour in German for "Is there a tour in French?".
 */
import { createDirectionCheck } from '../../match/direction.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { denies, readComparison, readRowQuestion } from '../../question/asked/row-question.ts';
import { readSuperlative } from '../../question/superlative/superlative.ts';
import { cellsOf } from '../../text/cells.ts';
import type { ReadUnit } from '../../text/passages.ts';
import { stemOf } from '../../text/words.ts';
import { numbersIn } from '../numbered.ts';

/** Words of a cell that is a value; a longer one is a text. Set by hand. */
const maxWords = 5;
const languageName =
  /\b(?:in|speak|speaks|spoken|teach|teaches|offer|learn) (english|german|french|spanish|italian|dutch|portuguese|polish|danish|swedish|norwegian|finnish|russian|ukrainian|arabic|chinese|japanese|korean|turkish|greek|czech|hungarian|romanian|latin|welsh)\b(?=\W*$| (?:on|at|for|in|too|here|there|or|and)\b)/i;
/** "2. Vorsitzende:" */
const rankedName = /^\d{1,2}\. \p{Lu}[^:.]{2,40}(?=:)/u;
/** "What will happen to the Heron?", which what is listed of it does not say. */
const asksOfFate = /\b(?:happen(?:s|ed)?|become|becomes|became) (?:to|of|with)\b/i;
/** What is the cheapest is said with a price, or with such a word. */
const aboutPrice =
  /[€£$¥]|\b(?:cheap|expens|inexpens|cost|price|pricey|afford|free|fee|fare|rate|budget|bargain|dear)/i;

/** The index of the term for a language that has to be said itself, as any other is a language as well; -1 where none is. */
export function languageAskedFor({ terms, asked }: AnalysedQuestion): number {
  const name = languageName.exec(asked)?.[1];
  return name === undefined ? -1 : terms.findIndex(({ stem }) => stem === stemOf(name));
}

/** Returns a function that says whether a unit cannot answer. */
export function createContraryCheck(question: AnalysedQuestion): (unit: ReadUnit, title: string) => boolean {
  const asksForRows = readRowQuestion(question.asked) !== undefined;
  const isNegated = asksForRows && denies.test(question.asked);
  const isCompared = asksForRows && readComparison(question.asked) !== undefined;
  const superlative = readSuperlative(question.asked);
  const most =
    superlative?.isOfTime === false
      ? question.asked.slice(superlative.start, superlative.end).toLowerCase()
      : undefined;
  const isOfPrice =
    question.language === undefined &&
    superlative !== undefined &&
    superlative.columns.some(({ isNamed }) => isNamed('price'));
  const isOfFate = asksOfFate.test(question.asked);
  const numbered = numbersIn(question.asked, question.language);
  const saysOther = (cells: readonly string[]) => {
    if (numbered.size === 0) return false;
    const said = cells.flatMap((cell) => [...numbersIn(cell, question.language)]);
    return [...numbered].some(
      ([word, number]) =>
        said.some(([other, value]) => other === word && value !== number) &&
        !said.some(([other, value]) => other === word && value === number),
    );
  };
  const isOfOtherNumber = createNumberCheck(question.asked);
  const isOtherWay = createDirectionCheck(question);
  return ({ kind, text, header, section }, title) => {
    const cells = kind === 'row' ? cellsOf(text) : [rankedName.exec(text)?.[0] ?? ''];
    const isOther = cells.some((cell) => cell !== '') && saysOther(cells);
    if (kind !== 'row')
      return isOther || isOfOtherNumber(text, `${title}\n${section}`) || (isOfPrice && !aboutPrice.test(text));
    if (isOtherWay(header, text)) return true;
    const isOfValues = cells.every((cell) => cell.split(/\s+/).length <= maxWords);
    const isAny = most !== undefined && !text.toLowerCase().includes(most);
    if (isOfValues && (isAny || isOfFate || isCompared || (isNegated && !denies.test(text)))) return true;
    return isOther;
  };
}

/** Kinds of things of which each has a number of its own. */
const numberedKinds =
  'years?|class(?:es)?|grades?|levels?|floors?|zones?|gates?|tables?|terminals?|platforms?|rooms?|teams?|groups?|flats?|apartments?|blocks?|buildings?|plots?|pitch(?:es)?|racks?|lanes?|courts?|lines?|bus(?:es)?|trams?|routes?|modules?|units?|berths?|cabins?|Klassen?|Stufen?|Etagen?|Zonen?|Gleise?|Zimmer|Raum|Räume|Gruppen?|Mannschaft(?:en)?|Wohnung(?:en)?|Haus|Halle|Parzellen?|Stellplatz|Platz|Bahn|Linien?|salles?|chambres?|quais?|groupes?|équipes?|appartements?|étages?|lignes?|parcelles?|bâtiments?|salas?|aulas?|clases?|grupos?|equipos?|pisos?|líneas?|parcelas?|andén|puertas?|stanz[ae]|camer[ae]|grupp[oi]|squadr[ae]|linee?a?|binari[oi]|kamers?|zaal|groep(?:en)?|lijn(?:en)?';
/** "Year 4", "Zimmer 12"; before it, what makes it a bound: "from Year 3 on". */
const numberedThing = new RegExp(
  String.raw`(?<!\p{L})(?:(from|up to|until|till|above|below|over|under|after|before|since|beyond|near|opposite|ab|bis|über|unter|neben|à partir de|dès|jusqu'à|desde|hasta|a partir de|than|as|like|unlike|except|beside|below|behind|außer|ohne|sauf|excepto|salvo) (?:(?:the|la|le|der|die|das|el|for|in|of) )?)?(${numberedKinds}) (?:no\. ?|nr\. ?)?(\d{1,4}[a-z]?)(?![\p{L}\d.:,]\d|[\p{L}\d%])`,
  'giu',
);
/** After a number, what makes it one of several: "rooms 1–5", "Year 3 and above". */
const goesOn =
  /^\s?(?:[-–/,+&]|to|through|onwards?|upwards?|up|aufwärts|and|or|bis|und|oder|à|et|ou|a|y|o|e|en|of)(?!\p{L})/u;
/** Two texts name things of one kind if they begin alike: "Zimmer" and "Zimmern", "room" and "rooms". */
const kindLetters = 4;

/** Returns a function that says whether a sentence is about another thing of the kind: that of Year 4, for "Year 6". */
function createNumberCheck(asked: string): (text: string, section: string) => boolean {
  const things = [...asked.matchAll(numberedThing)];
  const [thing] = things;
  if (thing === undefined || things.length > 1 || thing[1] !== undefined) return () => false;
  const [written, , kind = '', number = ''] = thing;
  if (goesOn.test(asked.slice(thing.index + written.length))) return () => false;
  const beginning = kind.toLowerCase().slice(0, kindLetters);
  const isSaid = new RegExp(String.raw`(?<![\p{L}\d])${number}(?![\p{L}\d])`, 'iu');
  return (text, section) => {
    const said = [...text.matchAll(numberedThing)].filter(([, , its = '']) => its.toLowerCase().startsWith(beginning));
    return (
      said.length > 0 &&
      !isSaid.test(text) &&
      !isSaid.test(section) &&
      said.every(({ 0: each, 1: bound, index }) => bound === undefined && !goesOn.test(text.slice(index + each.length)))
    );
  };
}
