/** Lines that name somebody by a noun for what the question says with a verb. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { smallDocument as document } from './small-documents.ts';

const shop = document(
  'Pedal & Chain',
  '# Pedal & Chain\n\nOwner: Rosa Blum\nManager: Kit Farr\nWorkshop leader: Ned Ivers\n\nWe are open from Tuesday to Saturday.',
);
const laden = document(
  'Laden',
  '# Laden\n\nInhaberin: Rosa Blum\nGeschäftsführer: Kai Ort\nLeitung der Werkstatt: Nils Iven\nKassenwartin: Birgit Sommer\n\nDie Kasse ist montags geschlossen.',
);
const protokoll = document(
  'Protokoll der Mitgliederversammlung',
  '# Protokoll der Mitgliederversammlung\n\nLeitung: Petra Anders\nProtokoll: Jens Wolff\n\nFür jede nicht geleistete Stunde sind 20 Euro zu zahlen.',
);
const atelier = document(
  'Atelier du Port',
  "# Atelier du Port\n\nPropriétaire : Maëlle Kervran\nGérant : Yann Le Goff\nResponsable de l'atelier : Nino Roy",
);
const taller = document('Taller', '# Taller\n\nDueña: Marta Gil\nEncargado: Luis Pons\n\nAbierto de lunes a viernes.');

const hall = document(
  'about.md',
  '# The hall\n\nThe hall belongs to the parish council and is run by a committee of seven.\n\n| Day | Room | Contact |\n|---|---|---|\n| Friday | Main hall | Lesley Graham |\n| Saturday | Main hall | Tom Irving |',
);
const halle = document(
  'halle.md',
  '# Die Halle\n\nDie Halle gehört der Gemeinde und wird von Frau Lenz geleitet. Der Schlüssel gehört zum Haus.',
);

const said = (question: string, source: Source) => answer(question, [source]).pieces.join('');

describe('who does something', () => {
  it.each([
    ['Who owns the shop?', shop, 'Owner: Rosa Blum'],
    ['Who runs the shop?', shop, 'Manager: Kit Farr'],
    ['Who owns the hall?', hall, 'The hall belongs to the parish council and is run by a committee of seven'],
    ['Who runs the hall?', hall, 'The hall belongs to the parish council and is run by a committee of seven'],
    ['Wem gehört die Halle?', halle, 'Die Halle gehört der Gemeinde und wird von Frau Lenz geleitet'],
    ['Who leads the workshop?', shop, 'Workshop leader: Ned Ivers'],
    ['Wem gehört der Laden?', laden, 'Inhaberin: Rosa Blum'],
    ['Wer leitet den Laden?', laden, 'Geschäftsführer: Kai Ort'],
    ['Wer leitet die Werkstatt?', laden, 'Leitung der Werkstatt: Nils Iven'],
    ['Wer führt die Kasse?', laden, 'Kassenwartin: Birgit Sommer'],
    ['Wer hat die Versammlung geleitet?', protokoll, 'Leitung: Petra Anders'],
    ["À qui appartient l'atelier ?", atelier, 'Propriétaire: Maëlle Kervran'],
    ['Qui gère le magasin ?', atelier, 'Gérant: Yann Le Goff'],
    ["Qui dirige l'atelier ?", atelier, "Responsable de l'atelier: Nino Roy"],
    ['¿De quién es la tienda?', taller, 'Dueña: Marta Gil'],
  ])('is the person that a line names so: %s', (question, source, words) => {
    expect(said(question, source)).toBe(`${words}. [1]`);
  });

  it('is not answered with who does it elsewhere', () => {
    expect(said('Who runs the choir?', shop)).not.toContain('Kit Farr');
    expect(said('Who teaches the choir?', shop)).toBe('');
  });
});
