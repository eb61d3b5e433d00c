/** Answers from everyday documents of forms that people have: a manual with a table of faults, a chat, a note in Spanish. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';

function document(title: string, text: string): Source {
  const url = 'https://a.example/one';
  return { n: 1, snapshot: title, start: 0, title, headings: '', url, score: 3, text, corpusSize: 'small' };
}

const manual = document(
  'Radio R2',
  `# Radio R2

Plug in the cable and press the button below the logo for two seconds.

## Troubleshooting

| Problem | Cause | What to do |
|---|---|---|
| No station, but sound | The aerial is loose | Press the aerial into its socket. |
| No sound | Headphones are connected | Disconnect the headphones. |
| Display is dark | Display is switched off | Press the button with the moon. |`,
);
const chat = document(
  'chat',
  `[05/04/2026, 18:02] Ines: So are we on for Saturday?
[05/04/2026, 18:07] Tom: I'm doing lasagne. Ines salad, Priya dessert?
[05/04/2026, 18:11] Tom: the doorbell is broken, call me when you are downstairs: 0151 555 0134
[05/04/2026, 18:15] Leo: Can I sleep on your sofa? Last bus leaves at 23:10
[05/04/2026, 18:20] Priya: I owe you for the theatre, the tickets were 34 € each`,
);
const camp = document(
  'Campamento',
  `# Campamento

No está permitido llevar teléfonos móviles. Hay 60 plazas.

## Qué llevar

- Saco de dormir
- Botas de montaña`,
);
const hotline = document(
  'Help',
  `# Help

Hotline 0800 555 0142, Monday to Saturday from 8 to 20. If the card is stolen, call 0800 555 0199 at any hour to have it blocked.`,
);

const club = document(
  'Rowing club',
  `# Rowing club

Caretaker: Mr Aydin, 0421 5567 210, Monday to Friday. The Heron will be sold this summer, because repairs would cost more than it is worth.

| No. | Member | City |
|---|---|---|
| 101 | Ida Graf | Bremen |
| 102 | Tom Becker | Stade |

| Boat | Place |
|---|---|
| Heron | rack 3 |
| Otter | rack 1 |`,
);
const lamp = document(
  'Lamp',
  `# Lamp

- Power: 9 W
- Light: 800 lm, 2700 to 6500 K

A tour of the factory is free. Tours in sign language take place on Saturdays.

## Interests

Cycling, ceramics`,
);
const pancake = document(
  'Pancake',
  '# Pancake\n\nFor 3 people, 40 minutes.\n\n## Ingredients\n\n- 4 eggs\n- 150 g flour\n- 2 apples\n\n## Method\n\nWhisk eggs, flour and salt.',
);

const house = document(
  'House rules',
  `# House rules

## Parking

Please do not park in front of the gate. Use the meadow behind the barn. Trailers stay on the gravel.

## Cleaning the lamp

Unplug the lamp first. Wipe it with a dry cloth. Do not use any liquids.

## Contacts

Caretaker: Mr Aydin, 0421 5567 210. In an emergency at night, call the service on 0421 5567 299.

Hall: Finn, every week.

## Size

| | |
|---|---|
| Rooms | 3 |
| Size | 74 m² |`,
);
const plots = document(
  'Plots',
  `# Rules for plots

1. The year runs from 1 April to 31 March. Rent is 62 euros for a full plot, payable by 30 April. A late payment fee of 10 euros applies after 15 May.
2. Plots that nobody works on get a warning. If nothing has changed after six weeks, the tenancy ends.
3. Notice has to be given in writing by 31 December to end the tenancy on 31 March. The deposit of 50 euros is returned later.
4. The gate must be locked at all times of the day. The code changes on the first of each month and is sent by e-mail.`,
);
const people = document(
  'Committee',
  `# Committee

Chair: Ines Falk (chair@northfield.example). Treasurer: Piotr Nowak. Water warden: Sam Okoye, 0151 774 201. Secretary: vacant.

There are 47 people on the list. The hedge is cut in August.`,
);
const letter = document(
  'letter',
  `Dear Ben,

the hall is yours on 20 June. The doors are closed from 22:00.

Best wishes

Judith Kramer

Events manager, 0461 555 0139`,
);
const cv = document(
  'Nadia Ferrand',
  '# Nadia Ferrand\n\nnadia@ferrand.example, +33 6 12 34 56 78\n\n**Designer, Banque Orme, Paris** (2017 – 2021)\nDesigned the mobile app.',
);
const garten = document(
  'Gartenordnung',
  '# Gartenordnung\n\nPools sind bis 3 m Durchmesser erlaubt. Hühner dürfen gehalten werden, aber keine Hähne. Die Kassiererin ist Sabine Lenz.',
);

const said = (question: string, source: Source) => answer(question, [source]).pieces.join('');

describe('an answer from', () => {
  it('a table of faults is the row that the question names', () => {
    expect(said('I have no sound, what can I do?', manual)).toContain('Disconnect the headphones');
    expect(said('I have no sound, what can I do?', manual)).not.toContain('aerial');
  });

  it("a list of people gives the number of the person asked about, and nobody else's", () => {
    expect(said("What is the water warden's number?", people)).toContain('0151 774 201');
    expect(said('What is the phone number of the water warden?', people)).toContain('0151 774 201');
    expect(said("What is the treasurer's number?", people)).toBe('');
    expect(said('What is the phone number of the chair?', people)).toBe('');
    expect(said('What is the email address of the chair?', people)).toContain('chair@northfield.example');
  });

  it('a letter is no name below it, unless that is asked for', () => {
    expect(said('Why is Judith not there?', letter)).toBe('');
    expect(said("What is Judith's job?", letter)).toContain('Events manager');
    expect(said('Who signed the letter?', letter)).not.toContain('22:00');
  });

  it('a manual is not about switching off where switching on is asked for', () => {
    expect(said('How do I switch it on?', manual)).not.toContain('moon');
    expect(said('Why is the display switched off?', manual)).toContain('moon');
  });

  it.each([
    ['How much is the rent?', 'Rent is 62 euros for a full plot, payable by 30 April. [1]'],
    ['What happens if I pay late?', 'A late payment fee of 10 euros applies after 15 May. [1]'],
    [
      'How do I get the code for the gate?',
      'The gate must be locked at all times of the day. The code changes on the first of each month and is sent by e-mail. [1]',
    ],
  ])('a numbered rule is its sentence that says it, or all of it where it says how: %s', (question, expected) => {
    expect(said(question, plots)).toBe(expected);
  });

  it.each([
    ['When does the last bus leave?', '23:10'],
    ["What is Tom's number?", '0151 555 0134'],
    ['How much was a theatre ticket?', '34 €'],
  ])('a chat is a message, and never the time at which it was written: %s', (question, expected) => {
    expect(said(question, chat)).toContain(expected);
    expect(said(question, chat)).not.toContain('05/04');
  });

  it('a note in Spanish is the list that the question names, and nothing for what it does not say', () => {
    expect(said('¿Qué hay que llevar?', camp)).toContain('Botas de montaña');
    expect(said('¿Hay piscina?', camp)).toBe('');
  });

  it('the days of a telephone is about the day that is asked for', () => {
    expect(said('Can I call the hotline on Sunday?', hotline)).toContain('Monday to Saturday');
  });

  it('a table is the sentence beside it where that says what happens', () => {
    expect(said('What will happen to the Heron?', club)).toMatch(/^The Heron will be sold/);
    expect(said('Where is the Heron?', club)).toContain('rack 3');
  });

  it('a list of members is the row with the number', () => {
    expect(said('What is the member number of Ida Graf?', club)).toContain('| 101 | Ida Graf');
  });

  it('a notice is the telephone number of somebody who has one', () => {
    expect(said('What is the number of the caretaker?', club)).toContain('0421 5567 210');
  });

  it('a data sheet is a value in the unit that is asked for', () => {
    expect(said('How many watts does it use?', lamp)).toBe('Power: 9 W. [1]');
  });

  it('a programme is nothing in another language than the one asked for', () => {
    expect(said('Is there a tour in French?', lamp)).toBe('');
    expect(said('Is there a tour in sign language?', lamp)).toContain('Saturdays');
  });

  it('a board is the holder of the office with the number that is asked for', () => {
    const board = document(
      'Satzung',
      'Musikverein\n\n1. Vorsitzender: Jonas Reuter\n2. Vorsitzende: Petra Kling\nKassiererin: Sabine Lenz\n\nProben\nOrchester dienstags im Probenraum\nJugend freitags in der Schule',
    );
    expect(said('Wer ist der 1. Vorsitzende?', board)).toBe('1. Vorsitzender: Jonas Reuter. [1]');
    expect(said('Wer ist die zweite Vorsitzende?', board)).toBe('2. Vorsitzende: Petra Kling. [1]');
    expect(said('Wer ist der Kassierer?', board)).toBe('Kassiererin: Sabine Lenz. [1]');
    expect(said('Wann probt die Jugend?', board)).toBe('Jugend freitags in der Schule. [1]');
  });

  it('notes is the one line, also if it is the last', () => {
    const notes = document(
      'Notes',
      'School\n\nRefunds\nFull refund two weeks before it starts\nParking\nThere is no parking at the school\n\nCashier: Lena Brook\nCaretaker: Tom Wills',
    );
    expect(said('Can I park at the school?', notes)).toBe('There is no parking at the school. [1]');
  });

  it('a short list may be two words', () => {
    expect(said('How many eggs do I need?', pancake)).toBe('4 eggs. [1]');
    expect(said('How much flour?', pancake)).toBe('150 g flour. [1]');
    expect(said('What are her interests?', lamp)).toBe('Cycling, ceramics. [1]');
  });

  it('rules is where one can park, not only where one cannot', () => {
    expect(said('Where can I park?', house)).toBe(
      'Please do not park in front of the gate. Use the meadow behind the barn. [1]',
    );
  });

  it('a manual is all of a few steps', () => {
    expect(said('How do I clean the lamp?', house)).toBe(
      'Unplug the lamp first. Wipe it with a dry cloth. Do not use any liquids. [1]',
    );
  });

  it('a note is the telephone number of who is asked for, and of nobody else', () => {
    expect(said("What is the caretaker's phone number?", house)).toContain('210');
    expect(said("What is Finn's phone number?", house)).toBe('');
    expect(said("What is Ida Graf's phone number?", club)).toBe('');
    expect(said('What is her phone number?', cv)).toContain('+33 6 12 34 56 78');
  });

  it('a table without names of columns reads as a name and its value', () => {
    expect(said('How many rooms does the flat have?', house)).toBe('Rooms: 3. [1]');
  });

  it('rules in German are about the animal that is asked for, and name a person by the other form of a word', () => {
    expect(said('Sind Hähne erlaubt?', garten)).toContain('keine Hähne');
    expect(said('Wer ist der Kassierer?', garten)).toContain('Sabine Lenz');
  });
});
