/** Things of which each has a number: what is said of Year 4 does not answer a question about Year 6. */
import { joinsNumbers } from '../numbered.ts';

/** Kinds of things of which each has a number of its own. */
const numberedKinds =
  'years?|class(?:es)?|grades?|levels?|floors?|zones?|gates?|tables?|terminals?|platforms?|rooms?|teams?|groups?|flats?|apartments?|blocks?|buildings?|plots?|pitch(?:es)?|racks?|lanes?|courts?|lines?|bus(?:es)?|trams?|routes?|modules?|units?|berths?|cabins?|Klassen?|Stufen?|Etagen?|Zonen?|Gleise?|Zimmer|Raum|Räume|Gruppen?|Mannschaft(?:en)?|Wohnung(?:en)?|Haus|Halle|Parzellen?|Stellplatz|Platz|Bahn|Linien?|salles?|chambres?|quais?|groupes?|équipes?|appartements?|étages?|lignes?|parcelles?|bâtiments?|salas?|aulas?|clases?|grupos?|equipos?|pisos?|líneas?|parcelas?|andén|puertas?|stanz[ae]|camer[ae]|grupp[oi]|squadr[ae]|linee?a?|binari[oi]|kamers?|zaal|groep(?:en)?|lijn(?:en)?';
/** "Year 4", "Zimmer 12"; before it, what makes it a bound: "from Year 3 on". */
const numberedThing = new RegExp(
  String.raw`(?<!\p{L})(?:(from|up to|until|till|above|below|over|under|after|before|since|beyond|near|opposite|ab|bis|über|unter|neben|à partir de|dès|jusqu'à|desde|hasta|a partir de|than|as|like|unlike|except|beside|below|behind|außer|ohne|sauf|excepto|salvo) (?:(?:the|la|le|der|die|das|el|for|in|of) )?)?(${numberedKinds}) (?:no\. ?|nr\. ?)?(\d{1,4}[a-z]?)(?![\p{L}\d.:,]\d|[\p{L}\d%])`,
  'giu',
);
/** After a number, what makes it one of several, or a bound: "Year 3 and above", "bus 3 of 5". */
const goesOn = new RegExp(
  String.raw`^\s?(?:${joinsNumbers}|through|onwards?|upwards?|up|aufwärts|e|en|of)(?!\p{L})`,
  'u',
);
/** Two texts name things of one kind if they begin alike: "Zimmer" and "Zimmern", "room" and "rooms". */
const kindLetters = 4;

/** Returns a function that says whether a sentence is about another thing of the kind: that of Year 4, for "Year 6". */
export function createNumberCheck(asked: string): (text: string, section: string) => boolean {
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
