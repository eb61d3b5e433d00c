import { describe, expect, it } from 'vitest';
import { answer } from '../../src/model/extractive/answer/answer.ts';
import { readAskedForm } from '../../src/model/extractive/question/asked/asked-form.ts';
import { countValues, valueAskedBy } from '../../src/model/extractive/question/asked/asked-value.ts';
import { cleanPrompt } from '../../src/model/extractive/question/clean-prompt.ts';
import { withContext } from '../../src/model/extractive/question/context.ts';
import { readsAsFewPages } from '../../src/model/extractive/rank/few-pages/few-pages.ts';
import { isEveryday } from '../../src/model/extractive/text/everyday.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';

const ferry: Source = {
  n: 1,
  snapshot: 'ferry',
  start: 0,
  title: 'Ferry to Varnay',
  headings: '',
  url: 'https://a.example/ferry',
  score: 3,
  text: `# Ferry to Varnay

The crossing takes 40 minutes. Boarding ends ten minutes before departure. A page has 50 rows (max. 200) at the counter.

## Fares

| Passenger | Fare |
|---|---|
| Adult | 86 kr |
| Bicycle | 25 kr |

Dogs travel on the car deck. Smoking is forbidden on board, because the deck is made of wood.`,
};

const ask = (question: string) => answer(question, [ferry]).pieces.join('');

describe('an answer from a document or two', () => {
  it('finds a price in a table whose words are other ones', () => {
    expect(ask('What does it cost to bring my bike?')).toContain('25 kr');
  });

  it('finds a duration, a place and a reason asked for in other words', () => {
    expect(ask('How long is the trip?')).toContain('40 minutes');
    expect(ask('Where must my pet stay?')).toContain('car deck');
    expect(ask('Why may I not smoke?')).toContain('made of wood');
  });

  it('refuses what the document does not say about its own subject', () => {
    expect(ask('What does a berth in a cabin cost?')).toBe('');
    expect(ask('Which company insures the boats?')).toBe('');
  });

  it('refuses what it says about its own subject, where another one is asked for', () => {
    const quokka = {
      ...ferry,
      title: 'Quokka facts',
      text: '# Quokka facts\n\nThe quokka weighs 3.5 kilograms. The quokka lives on Rottnest Island. The quokka eats grass at night. It was described in 1830.',
    };
    const asked = (question: string) => answer(question, [quokka]).pieces.join('');
    for (const other of [
      'How much does the Eiffel Tower weigh?',
      'How much does Napoleon weigh?',
      'When was Napoleon described?',
      'Where does the zebra live?',
      'Where do kangaroos live?',
    ])
      expect(asked(other), other).toBe('');
    expect(asked('How much does the quokka weigh?')).toContain('3.5 kilograms');
    expect(asked('Where do quokkas live?')).toContain('Rottnest');
    expect(asked('Where does it live?')).toContain('Rottnest');
    expect(asked('How heavy is the animal?')).toContain('3.5 kilograms');
    expect(asked('Where does the animal live?')).toContain('Rottnest');
    const opens = { ...ferry, title: 'Visit', text: '# Visit\n\nWe open at 10 am. Built by Ann Moor in 1995.' };
    expect(answer('When does the museum open?', [opens]).pieces.join('')).toContain('10 am');
    expect(answer('When was the museum built?', [opens]).pieces.join('')).toContain('1995');
  });

  it('keeps a sentence with an abbreviation whole', () => {
    expect(ask('How many rows has a page at the counter?')).toContain('(max. 200) at the counter.');
  });
});

describe('a folder of everyday documents', () => {
  const notes = Array.from({ length: 12 }, (_, n): Source => {
    const text = `# Notes ${n}\n\nWe meet at 18:${10 + n} in room ${n}. Please bring your own cup.`;
    return { ...ferry, n: n + 2, snapshot: `notes-${n}`, title: `Notes ${n}`, url: `https://a.example/${n}`, text };
  });
  const medium = [ferry, ...notes].map((source): Source => ({ ...source, corpusSize: 'medium' }));
  const lakes = Array.from({ length: 12 }, (_, n): Source => {
    const text = `# Lake ${n}\n\nLake ${n} is a lake in the north of the country. It was formed by a glacier and has an area of ${n} square kilometres.`;
    return { ...ferry, snapshot: `lake-${n}`, url: `https://a.example/lake-${n}`, title: `Lake ${n}`, text };
  });

  it('is read like one document, as it says things once and in words of its own', () => {
    const { pieces } = answer('What does it cost to bring my bike?', medium);
    expect(pieces.join('')).toContain('25 kr');
    expect(readsAsFewPages(medium)).toBe(true);
  });

  it('is neither articles nor a large index', () => {
    expect(readsAsFewPages(lakes.map((source): Source => ({ ...source, corpusSize: 'medium' })))).toBe(false);
    expect(readsAsFewPages([ferry, ...notes])).toBe(false);
  });

  it.each([
    ['Please ring the bell.', true],
    ['Bitte klingeln Sie zweimal.', true],
    ['Rent: 820 euros', true],
    ['The bus leaves at 7:45.', true],
    ['A puncture repair is £12.', true],
    ['| Course | Place |\n|---|---|\n| Rowing | pier |', true],
    ['- soft shoes\n- a warm jacket', true],
    ['The abbey was founded in 1132 by monks, and dissolved in 1539.', false],
    ['The ratio is 3:2, and nobody knows why.', false],
    ['Die Abtei wurde 1132 gegründet; sie ist heute eine Ruine.', false],
  ])('has texts such as "%s": %s', (text, is) => {
    expect(isEveryday(text)).toBe(is);
  });
});

const pump: Source = {
  ...ferry,
  snapshot: 'pump',
  title: 'Pump manual',
  url: 'https://a.example/pump',
  text: `# Pump manual

The pump moves 40 litres a minute. The guarantee runs for two years.

## Fault codes

| Code | Meaning |
|---|---|
| E41 | The inlet filter is blocked. Clean it and restart the pump. |
| E52 | The motor is too hot. Wait 20 minutes. |`,
};
const log = `2025-11-03T08:12:44Z INFO  boot: firmware 3.2.1
2025-11-03T08:13:01Z WARN  sensor: reading below 0.3 bar
2025-11-03T08:13:32Z ERROR pump: stopped with E41 (retry in 60 s)
    at Controller.run (/opt/pump/controller.js:118:9)`;

describe('a long prompt', () => {
  it('is read for the error of a pasted log and for what is asked beside it', () => {
    expect(cleanPrompt(`${log}\n\nWhat should I do?`)).toBe('What should I do? pump: stopped with E41 (retry in 60 s)');
    expect(answer(log, [pump]).pieces.join('')).toContain('The inlet filter is blocked');
  });

  it('is read for the question at its end, with the sentence that it refers to', () => {
    const story =
      'We moved the pump to the shed last week, and everybody liked how it looked there in the sun. '.repeat(5);
    expect(cleanPrompt(`${story}How long does the guarantee run?`)).toBe('How long does the guarantee run?');
    expect(cleanPrompt(`${story}The display shows E52. What does this mean?`)).toBe(
      'The display shows E52. What does this mean?',
    );
    expect(answer(`${story}How long does the guarantee run?`, [pump]).pieces.join('')).toContain('two years');
  });

  it('is read in linear time', () => {
    for (const hostile of ['at '.repeat(20_000), '?'.repeat(60_000), 'a. '.repeat(20_000), '\n at x'.repeat(10_000)])
      expect(cleanPrompt(hostile)).not.toBe('');
  });

  it('is read for the value that it asks for without exponential time', () => {
    for (const unit of ['A.', 'Dr. ', '. ', '1.5', 'p.m.', 'Mr.St.'])
      expect(valueAskedBy(`When was it ${unit.repeat(2_000)}`), unit).toBe('day');
  });
});

describe('a question with two parts', () => {
  const rules: Source = {
    ...ferry,
    snapshot: 'rules',
    title: 'Hausordnung',
    url: 'https://a.example/rules',
    text: '# Hausordnung\n\nDie Waschküche ist bis 21 Uhr geöffnet. Ein Stellplatz kostet 35 Euro im Monat. Hunde sind im Hof anzuleinen.',
  };

  it('is answered in both, in German as well', () => {
    const written = answer('Bis wann ist die Waschküche geöffnet und was kostet ein Stellplatz?', [rules]).pieces.join(
      '',
    );
    expect(written).toContain('21 Uhr');
    expect(written).toContain('35 Euro');
  });
});

describe('a label', () => {
  const minutes: Source = {
    ...ferry,
    snapshot: 'minutes',
    title: 'Minutes of the council',
    url: 'https://a.example/minutes',
    text: `# Minutes of the council

**12 Playground.** The swings are rusty. They will be replaced in May.

**13 Street lamps.** The council agreed to buy twelve of them for £8,400.

Lamp, red

The tank is empty.

Lamp, green

The machine is ready for use.`,
  };
  const askMinutes = (question: string) => answer(question, [minutes]).pieces.join('');

  it('tells what the sentences of its paragraph are about, and is no answer itself', () => {
    expect(askMinutes('What was decided about the street lamps?')).toMatch(/^The council agreed/);
  });

  it('tells what the paragraph below a short line is about', () => {
    expect(askMinutes('What does the red lamp mean?')).toMatch(/^The tank is empty/);
    expect(askMinutes('What does the green lamp mean?')).toMatch(/^The machine is ready/);
  });
});

describe('a question in another language', () => {
  const rules: Source = {
    ...ferry,
    snapshot: 'wohnung',
    title: 'Wohnung',
    url: 'https://a.example/wohnung',
    text: `# Wohnung

Bei Wasserrohrbruch hilft der Notdienst. Das Treppenhaus wird montags geputzt. Haustiere bedürfen der Zustimmung. Kündigungen sind
bis zum dritten Werktag schriftlich einzureichen. Die Wohnung hat drei Zimmer.`,
  };

  it('finds other forms of its words', () => {
    expect(answer('Bis wann muss man die Kündigung einreichen?', [rules]).pieces.join('')).toContain('dritten Werktag');
  });
});

describe('a sentence with a condition and a pronoun', () => {
  const page = (text: string): Source => ({
    ...ferry,
    title: 'Page',
    text,
    snapshot: text,
    url: 'https://a.example/page',
  });
  it.each([
    [
      'What does a berth cost in winter?',
      'A berth costs 31.50 euros per night in summer. In winter it costs 12 euros per night.',
    ],
    ['When does the sauna open at weekends?', 'The sauna opens at 10 on weekdays. At weekends it opens at 8.'],
    ['What do tickets cost for children?', 'Tickets cost 9 euros. For children they cost 4 euros.'],
    ['Was kostet ein Boot für Mitglieder?', 'Ein Boot kostet 40 Euro. Für Mitglieder kostet es 25 Euro.'],
    ['Combien coûte une place en hiver ?', 'Une place coûte 31 euros en été. En hiver, elle coûte 12 euros.'],
    ['¿Cuánto cuesta un amarre en invierno?', 'Un amarre cuesta 31 euros en verano. En invierno cuesta 12 euros.'],
  ])('answers with the one before it, which says what it is about: %s', (question, text) => {
    expect(answer(question, [page(`# Page\n\nThe office is in Mill Road. ${text}`)]).pieces.join('')).toBe(
      `${text} [1]`,
    );
  });

  it.each([
    ['What does a berth cost in summer?', 'A berth costs 31.50 euros per night in summer. [1]'],
    ['What do they sell in the shop?', 'In the shop they sell postcards. [1]'],
  ])('is left out where another one answers: %s', (question, said) => {
    const text =
      'A berth costs 31.50 euros per night in summer. In winter it costs 12 euros per night.\n\nThere is a museum. In the shop they sell postcards.';
    expect(answer(question, [page(`# Page\n\n${text}`)]).pieces.join('')).toBe(said);
  });
});

describe('a question about a thing that a document does not speak of', () => {
  it.each([
    ['What does a meal on board cost?', 'What does a bicycle cost?'],
    ['Who is the captain of the ferry?', 'What is the fare of an adult?'],
    ['Is the deck heated?', 'Is the deck made of wood?'],
  ])('is not answered: %s', (question, answered) => {
    expect(ask(question)).toBe('');
    expect(ask(answered)).not.toBe('');
  });
});

describe('the value that a question asks for', () => {
  it.each([
    ['How much is a ticket?', 'money', 'A ticket: 4.20.'],
    ['Was kostet der Parkplatz?', 'money', 'Der Stellplatz kostet 30 Euro.'],
    ['À quelle heure ouvre la piscine ?', 'clock', 'Mercredi | 10 h – 18 h'],
    ['Combien de temps dure un prêt ?', 'duration', 'Le prêt dure trois semaines.'],
    ["Combien d'heures dois-je travailler ?", 'duration', 'Chaque membre travaille trois heures.'],
    ['¿Cuántas semanas dura el curso?', 'duration', 'Dura seis semanas.'],
    ['¿Con cuánta antelación puedo reservar?', 'duration', 'Hasta una semana antes.'],
    ['Quante ore dura la visita?', 'duration', 'Dura due ore.'],
    ['Combien de nuits puis-je rester ?', 'count', 'Au plus trois nuits.'],
    ['Wie oft wird geputzt?', 'frequency', 'Das Treppenhaus wird wöchentlich geputzt.'],
    ['When is the rubbish collected?', 'day', 'The bin is emptied on Thursdays.'],
    ['Who runs the kitchen?', 'person', 'Our chef is Noémie Castan.'],
    ['Who opposed the plan?', 'person', 'Ebba voted against it.'],
    ['How fast do parcels arrive in Wales?', 'duration', 'They take four days.'],
    ['On which day is the salary paid?', 'day', 'On the 27th.'],
    ['Which number do I call?', 'contact', 'Ring 01 44 55 66.'],
    ['May I bring a dog?', 'permission', 'Dogs are not allowed.'],
    ['Until when can I hand it in?', 'clock', 'It is due by the third working day.'],
    ['Wann habt ihr montags auf?', 'clock', 'Montags geschlossen.'],
    ['Quand êtes-vous ouverts le lundi ?', 'clock', 'Les lundis, le musée est fermé.'],
    ['Bis wann zahle ich die Miete?', 'clock', 'Die Miete ist bis zum dritten Werktag fällig.'],
    ['I lost my card. Why was it blocked? It is green.', 'reason', 'It is blocked because it expired.'],
  ])('is read from %s', (question, type, stated) => {
    expect(valueAskedBy(question)).toBe(type);
    expect(countValues(valueAskedBy(question)!, stated, question)).toBeGreaterThan(0);
  });

  it.each([
    ['How do I change the colour temperature?', undefined],
    ['How can I reduce the weight?', undefined],
    ['Who sets the temperature?', 'person'],
    ['Where is the temperature shown?', 'place'],
    ['Why is the pressure 5 % lower?', 'reason'],
    ['How do I contact you?', 'contact'],
  ])('is not what a question names but asks something else about: %s', (question, type) => {
    expect(valueAskedBy(question)).toBe(type);
  });

  it('is no person where a month or a weekday has a capital', () => {
    expect(countValues('person', 'The answers are published on Monday, 19 September.', 'Who answers?')).toBe(0);
  });

  it.each([
    [
      '¿Cuántos libros puedo sacar?',
      'Quien pierde un libro debe comprar otro igual.',
      'Puede sacar un libro a la vez.',
    ],
    ['¿Cuántos ascensores hay?', 'Quien usa un ascensor lleva una llave.', 'Hay un gran ascensor.'],
    ['Wie viele Hunde sind erlaubt?', 'Wer einen Hund hat, zahlt für ihn.', 'Ein Hund ist erlaubt.'],
    ['Wie viele Gärten gibt es?', 'Neben der Kirche ist ein Garten.', 'Es gibt einen Garten.'],
    ['Combien de lits y a-t-il ?', 'Pour chaque enfant, demandez un lit.', 'Il y a un lit.'],
    [
      'Wie viele Schlüssel bekomme ich?',
      'Der Verlust eines Schlüssels kostet 20 €.',
      'Jedes Mitglied erhält einen Schlüssel.',
    ],
    [
      'Wie viele Hunde darf ich mitbringen?',
      'Gäste mit einem Hund melden sich an.',
      'Sie dürfen einen Hund mitbringen.',
    ],
    ['Combien de clés reçoit-on ?', 'La perte d’une clé coûte 20 €.', 'Chaque chambre a une clé.'],
    ['Combien de serviettes y a-t-il ?', 'Si vous perdez une serviette, payez-la.', 'Vous recevez une serviette.'],
    ['¿Cuántas llaves dan?', 'El precio de una llave es alto.', 'Cada socio recibe una llave.'],
    ['Quanti cani sono ammessi?', 'Chi porta un cane paga di più.', 'Ogni ospite può portare un cane.'],
    ['Wie viele Parkplätze gibt es?', 'Wir liegen nahe bei einem Parkplatz.', 'Pro Zimmer ist ein Parkplatz frei.'],
    ['¿Cuántas camas hay?', 'La sábana de una cama.', 'La habitación dispone de una cama.'],
    ['¿Cuántos perros se admiten?', 'Si lleva un perro, avise.', 'Se admite un perro.'],
    ['Hoeveel sleutels krijg ik?', 'Wie een sleutel verliest, betaalt.', 'Ieder lid krijgt een sleutel.'],
    ['How many pupils are there?', 'Year 1 and Year 2 eat free.', 'Year 3 has 24 pupils.'],
    ['How many children come?', 'Class 4 sings.', 'Each year 30 children come.'],
    ['Wie viele Zimmer gibt es?', 'Frühstück für Zimmer 4 und Zimmer 5', 'Zimmer: 12'],
  ])('is no number where a text only has an article or a name with a number: %s', (question, other, stated) => {
    expect([other, stated].map((text) => countValues('count', text, question))).toEqual([0, 1]);
  });

  it('is no price where a room or a section has a number with a point', () => {
    const form = readAskedForm('How much does a room cost?', false)!;
    const prices = [
      'Complaints: Ms Okoye, room 1.12.',
      'As in section 12.50.',
      'Single room 9.50 per hour',
      'Single room 62.00',
      'A flat 5.50',
      'Price per unit 4.20',
      'Each office 3.80',
      'She works in office 3.80',
    ];
    expect(prices.map((text) => form.count(text, false))).toEqual([0, 0, 1, 1, 1, 1, 1, 0]);
  });

  it('is not the one that the question has itself', () => {
    expect(countValues('duration', 'The fee covers two weeks.', 'How long are the two weeks of holiday?')).toBe(0);
  });
});

const vacuum: Source = {
  ...ferry,
  snapshot: 'vacuum',
  title: 'Robot vacuum',
  url: 'https://a.example/vacuum',
  text: `# Robot vacuum

It makes 67 dB at full power and gets over sills of up to 18 mm.

## Data

**Weight**

3.4 kg

**Dust container**

420 ml`,
};

describe('an answer from a data sheet', () => {
  it('is the value with its name', () => {
    expect(answer('How heavy is it?', [vacuum]).pieces.join('')).toBe('Weight: 3.4 kg. [1]');
    expect(answer('How much dust does it hold?', [vacuum]).pieces.join('')).toBe('Dust container: 420 ml. [1]');
    expect(answer('How much does it weigh?', [vacuum]).pieces.join('')).toBe('Weight: 3.4 kg. [1]');
  });
});

describe('an answer from lines with names', () => {
  const shop: Source = {
    ...ferry,
    snapshot: 'shop',
    title: 'Bike shop',
    url: 'https://a.example/shop',
    text: '# Bike shop\n\nOpening hours\nMon to Fri: 9:00 to 18:30\nSat: 9:00 to 14:00\nSun: closed\n\nWe take cash. Used bikes have a guarantee of six months.\n\nOrder number: KX-48213\nTotal: 346.04 EUR\nOffice: +49 8382 5550, open from 7:00 to 22:00\n\nPayable within 14 days.',
  };
  const askShop = (question: string) => answer(question, [shop]).pieces.join('');

  it('is one line, whose weekday may be shortened or lie between two others', () => {
    expect(askShop('Are you open on Sunday?')).toBe('Sun: closed. [1]');
    expect(askShop('When do you close on Saturday?')).toBe('Sat: 9:00 to 14:00. [1]');
    expect(askShop('Are you open on Tuesday?')).toBe('Mon to Fri: 9:00 to 18:30. [1]');
  });

  it('is all lines where all are asked for', () => {
    expect(askShop('What are your opening hours?')).toBe(
      'Mon to Fri: 9:00 to 18:30. Sat: 9:00 to 14:00. Sun: closed. [1]',
    );
  });

  it('is a short line before a paragraph, and no number of another kind', () => {
    expect(askShop('What is the total?')).toContain('Total: 346.04 EUR');
    expect(askShop('What is the phone number of the office?')).toContain('+49 8382 5550');
    expect(askShop('What is the phone number of the office?')).not.toContain('KX-48213');
  });
});

describe('an answer in the language of the question', () => {
  const machine: Source = {
    ...ferry,
    snapshot: 'machine',
    title: 'Kaffeemaschine',
    url: 'https://a.example/machine',
    text: '# Kaffeemaschine\n\nAlle drei Monate entkalken.\n\nLeistung: 1.450 W\nGewicht: 7,2 kg\nMaße: 26 x 38 x 34 cm\n\nFür Sie entstehen keine Kosten.',
  };
  const menu: Source = {
    ...ferry,
    snapshot: 'menu',
    title: 'Casa Pepa',
    url: 'https://a.example/menu',
    text: '# Casa Pepa\n\nAbierto de martes a domingo, de 20:00 a 23:30.\n\n## Postres\n\n- Flan de la casa: 4,50 €\n- Tarta de queso: 5,50 €',
  };

  it('is found by words that mean the same there', () => {
    const askMachine = (question: string) => answer(question, [machine]).pieces.join('');
    expect(askMachine('Wie schwer ist die Maschine?')).toBe('Gewicht: 7,2 kg. [1]');
    expect(askMachine('Wie viel Watt hat sie?')).toBe('Leistung: 1.450 W. [1]');
    expect(askMachine('Wie breit ist die Maschine?')).toBe('Maße: 26 x 38 x 34 cm. [1]');
    expect(answer('¿A qué hora abren por la noche?', [menu]).pieces.join('')).toContain('20:00 a 23:30');
  });

  it('is a whole list where it is asked for', () => {
    expect(answer('¿Cuáles son los postres?', [menu]).pieces.join('')).toBe(
      '- Flan de la casa: 4,50 €\n- Tarta de queso: 5,50 € [1]',
    );
  });
});

describe('a question that follows another', () => {
  const follow = (question: string, before: string) => answer(withContext(question, before), [ferry]).pieces;

  it('is answered alone, not together with the one before it', () => {
    expect(follow('How long does it take?', 'How much is a ticket for the ferry?')).toEqual([
      'The crossing takes 40 minutes. [1]',
    ]);
  });

  it('asks for what was asked before where it only replaces something', () => {
    expect(follow('And with a bicycle?', 'How much does an adult pay?').join('')).toContain('25 kr');
    expect(follow('And an adult?', 'What does a bicycle cost?').join('')).toContain('86 kr');
  });
});
