/**
 * Columns of tables that are named like what a question asks for: below "Time", "while you wait" says how long something takes,
 * though it does not have the form of a duration.
 */
import { cellsOf } from '../../text/cells.ts';
import { readWords } from '../../text/words.ts';
import type { AnalysedQuestion } from '../analyse.ts';
import type { ValueType } from './asked-value.ts';

/** Names of columns by what is in them, in English, German, French, Spanish, Italian, Dutch and Portuguese. */
const names: Readonly<Partial<Record<ValueType, string>>> = {
  money:
    'prices?|costs?|fees?|fares?|charges?|amount|total|rent|Preise?|Kosten|Betrag|Gebühr(?:en)?|Miete|prix|tarifs?|montant|precios?|importe|tarifas?|prezz[oi]|cost[oi]|tariff[ae]|prij(?:s|zen)|tarie(?:f|ven)|preços?',
  duration:
    'time|duration|period|takes|lasts|warranty|guarantee|Dauer|Zeit|Frist|durée|temps|délai|duración|tiempo|plazo|durata|tempo|duur|tijd|duração|prazo',
  clock:
    'times?|hours?|open|opens|closes|opening hours|departures?|arrivals?|starts?|ends?|begins|from|until|to|Uhrzeit|Zeit(?:en)?|Öffnungszeiten|Abfahrt|Ankunft|Beginn|Ende|von|bis|heures?|horaires?|départ|arrivée|horas?|horarios?|salida|llegada|or[ae]|orar[io]{1,2}|partenza|arrivo|tijd(?:en)?|vertrek|aankomst|horários?|partida|chegada',
  day: 'dates?|days?|when|due|deadline|Datum|Tage?|Termine?|wann|Frist|jours?|quand|échéance|fechas?|días?|cuándo|dat[ae]|giorn[oi]|quando|dag(?:en)?|wanneer|dias?',
  frequency:
    'how often|often|frequency|intervals?|every|Häufigkeit|Intervall|wie oft|Turnus|fréquence|frecuencia|frequenza|hoe vaak|frequência',
  person:
    'who|names?|contacts?|responsible|owner|teacher|trainer|instructor|coach|leader|led by|author|wer|Name|Ansprechpartner(?:in)?|Leitung|Lehrer(?:in)?|zuständig|qui|noms?|responsables?|quién|nombres?|chi|nom[ei]|responsabil[ei]|wie|naam|quem|responsável',
  place:
    'where|places?|rooms?|locations?|venues?|address|stop|platform|racks?|shelf|shelves|berths?|moorings?|drawers?|cupboards?|Regale?|Fach|Fächer|Liegeplatz|Schrank|étagère|armoire|estante|scaffale|wo|Ort|Raum|Adresse|Halle|Haltestelle|où|lieux?|salle|adresse|dónde|lugar|sala|dirección|dove|luogo|indirizzo|waar|plaats|zaal|adres|onde|local|endereço',
  contact:
    'phone|telephone|tel\\.?|mobile|e-?mail|contact|extension|Telefon|Handy|Kontakt|Durchwahl|téléphone|teléfono|telefono|telefoon|telefone|correo|courriel',
  age: 'ages?|Alter|âge|edad|età|leeftijd|idade',
};
const columns = new Map(
  Object.entries(names).map(([type, words]) => [type, new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')]),
);
/** A cell that says nothing. */
const empty = /^\W*(?:n\/?a|tbd|tbc|none)?\W*$/i;

/** Whether a row has something below such a column. Both have their cells divided by " | ". */
export function hasAskedCell(type: ValueType | undefined, header: string, row: string): boolean {
  const column = type === undefined ? undefined : columns.get(type);
  if (column === undefined) return false;
  const cells = row.split(' | ');
  // The first cell is what the row is about.
  return header.split(' | ').some((name, at) => at > 0 && column.test(name) && !empty.test(cells[at] ?? ''));
}

/** Whether a row has something below a column that is named by what is asked for: "Colour" for "What colour is the kitchen?". */
export function hasFocusCell({ focus, language }: AnalysedQuestion, header: string, row: string): boolean {
  if (focus.length === 0 || header === '') return false;
  const cells = cellsOf(row);
  return cellsOf(header).some(
    (name, at) =>
      at > 0 && !empty.test(cells[at] ?? '') && readWords(name, language).some(({ stem }) => focus.includes(stem)),
  );
}

/** Whether a row has nothing below a column that the question names in one word: no day below "died" for "When did Karl die?". */
export function lacksAskedCell({ terms, language }: AnalysedQuestion, header: string, row: string): boolean {
  if (header === '') return false;
  const cells = cellsOf(row);
  return cellsOf(header).some((name, at) => {
    if (at === 0 || (cells[at] ?? '').trim() !== '') return false;
    const words = readWords(name, language);
    return words.length === 1 && terms.some(({ stem }) => stem === words[0]!.stem);
  });
}

/** Whether a column, by its name, has values of a type. */
export function isColumnOf(type: ValueType, name: string): boolean {
  return columns.get(type)?.test(name) === true;
}
