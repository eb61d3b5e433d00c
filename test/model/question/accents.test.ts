/** Questions that are typed without the accents of their words are read with them. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { withAccents } from '../../../src/model/extractive/question/accents.ts';
import { smallDocument, smallTable } from '../answer/small-documents.ts';

const club = smallDocument(
  'aushang.md',
  'Öffnungszeiten\n\nGäste brauchen einen neuen Schlüssel. Satzungsänderungen 2026. Blüten und Trümmer.',
);

describe('a question without accents', () => {
  it.each([
    ['cuando abre la piscina?', 'cuándo abre la piscina?'],
    ['a que hora cierra el sabado?', 'a qué hora cierra el sábado?'],
    ['donde aparco', 'dónde aparco'],
    ['a quelle heure ouvre la piscine ?', 'à quelle heure ouvre la piscine ?'],
    ['ou est la gare ?', 'où est la gare ?'],
    ['la piscine est-elle fermee le lundi ?', 'la piscine est-elle fermée le lundi ?'],
    ['Wann ist das Museum geoeffnet?', 'Wann ist das Museum geöffnet?'],
    ['Wann schliesst das Museum?', 'Wann schließt das Museum?'],
    ['perche il museo è chiuso', 'perché il museo è chiuso'],
    ['ate quando posso pagar', 'até quando posso pagar'],
    // Where the sources have the word.
    ['oeffnungszeiten', 'öffnungszeiten'],
    ['Was brauchen Gaeste?', 'Was brauchen Gäste?'],
    ['Wer plant eine Satzungsaenderung?', 'Wer plant eine Satzungsänderung?'],
  ])('"%s" is read as "%s"', (question, read) => {
    expect(withAccents(question, [club])).toBe(read);
  });
  it.each([
    // Words that join, and verbs.
    '¿Qué hago cuando llueve?',
    'est-ce que je dois venir lundi ou mardi ?',
    'le restaurant ferme quand ?',
    // Two letters that are no umlaut.
    'Wer hat den neuen Bauern und das Abenteuer?',
    'Wer ist Frau Goetz?',
    // Letters within another word: "Blüten".
    'Which hall is true blue?',
    // Another language.
    'Do the blue shoes fit the poet?',
    'Who is Donde Marsh?',
  ])('stays otherwise: "%s"', (question) => {
    expect(withAccents(question, [club])).toBe(question);
  });
});

const hours = smallTable('horario.csv', [
  'Día | Piscina grande | Piscina infantil',
  'Lunes | cerrado | cerrado',
  'Martes a viernes | 7:30–21:30 | 16:00–20:00',
  'Sábado | 9:00–20:00 | 10:00–19:00',
  'Domingo | 9:00–14:00 | cerrado',
]);
const zeiten = smallTable('zeiten.csv', [
  'Bootshaus | Zeit',
  'Montag | geschlossen',
  'Dienstag bis Freitag | 16–20 Uhr',
  'Samstag | 9–18 Uhr',
]);

describe('the hours of a day', () => {
  it.each([
    ['a que hora cierra la piscina infantil el sabado?', hours, 'Sábado | 9:00–20:00 | 10:00–19:00'],
    ['Wann ist das Bootshaus am Montag geoeffnet?', zeiten, 'Montag | geschlossen'],
  ])('are found without accents: %s', (question, source, row) => {
    const written = answer(question, [source]).pieces.join('');
    expect(written).toContain(row);
    expect(written.match(/^\| \p{L}/gmu)).toHaveLength(2);
  });

  it('are not those for which a ticket is valid', () => {
    const bus = smallDocument(
      'bus.md',
      '# Bus\n\n| Arrêt | Premier | Dernier |\n|---|---|---|\n| Gare | 6h05 | 20h40 |\n| Hôpital | 6h31 | 21h05 |\n\n- Billet : 1,80 € (valable une heure)\n- Carnet de dix : 14,50 €\n\nLes vélos sont acceptés.',
    );
    expect(answer('À quelle heure part le bus de la mairie ?', [bus]).pieces.join('')).not.toContain('valable');
    expect(answer('A quelle heure part le dernier bus de la gare ?', [bus]).pieces.join('')).toContain('20h40');
  });
});
