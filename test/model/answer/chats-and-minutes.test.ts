/** Chats, mails, minutes and diaries: short messages, what only greets or asks, and what is said some lines above. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { quoteAskedRows } from '../../../src/model/extractive/answer/rows/asked-rows.ts';
import { analyse } from '../../../src/model/extractive/question/analyse.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';
import { smallDocument, smallTable } from './small-documents.ts';

const answerTo = (question: string, ...sources: readonly Source[]) => answer(question, sources).pieces.join('');

const chat = smallDocument(
  'chat.txt',
  `[02/09/2023, 18:04:11] Jonas created group "Flat 12"
[02/09/2023, 18:05:30] Jonas: hey all, new group so that we stop losing stuff
[02/09/2023, 18:09:47] Mei: nice. whats the wifi password again
[02/09/2023, 18:10:15] Jonas: network is Fjord_5G, password is troll-hammer-77
[03/09/2023, 20:44:19] Jonas: the washing machine does the error E18 thing again. you have to empty the filter bottom right
[05/09/2023, 13:02:33] Ravi joined using this group's invite link
[05/09/2023, 13:03:00] Ravi: hello new flatmates! moving in on the 16th
[05/09/2023, 13:10:01] Ravi: can i bring my cat
[05/09/2023, 13:11:36] Aisha: contract says no pets sadly
[06/09/2023, 19:48:37] Mei: birthday dinner saturday 7.30 at Bao House. table is under my name
[14/09/2023, 21:30:12] Mei: who ate my ramen
[14/09/2023, 21:31:40] Jonas: sorry. will replace`,
);

const mail = smallDocument(
  'party.md',
  `**From:** Priya Nair
**To:** everyone@ashgrove-street.example
**Date:** 2 June 2024
**Subject:** Street party

Hi all,

quick round-up after Tuesday at the Duke's Head.

The party is on Saturday 22 June, from 2 till about 9pm. If it pours we move to Sunday, same time.`,
);

const trip = smallDocument(
  'itinerary.md',
  `# Portugal

Flights are with TAP. Rental car: Guerin, Lisbon airport, Seat Leon estate, 6 May 12:00 to 12 May 10:00. Child seat ordered.

Hotel in Lisbon from 6 May to 8 May. Breakfast is included.`,
);

describe('a short sentence', () => {
  it('answers if it says what is asked', () => {
    expect(answerTo('Do we have a child seat?', trip)).toBe('Child seat ordered. [1]');
  });

  it('that is a line without an end mark answers if it has the asked day', () => {
    const letter = smallDocument(
      'schreiben.md',
      `Nordkap Versicherung

Ihr Unfall vom 21. Oktober 2023 in Leer

Sehr geehrte Frau Harms,

wir haben den Schaden geprüft. Sie erreichen uns unter der Durchwahl -318, montags bis donnerstags 9–15 Uhr.`,
    );
    expect(answerTo('Wann war der Unfall?', letter)).toContain('21. Oktober 2023');
  });
});

describe('what a message only asks', () => {
  it('does not answer, with the question mark left out', () => {
    expect(answerTo('What is the wifi password?', chat)).toContain('troll-hammer-77');
  });
});

describe('what somebody writes in a chat', () => {
  it('is not about its sender', () => {
    expect(answerTo("Who ate Mei's ramen?", chat)).not.toContain('birthday');
  });

  it('ends where another line says what happened', () => {
    expect(answerTo('What does error E18 mean?', chat)).not.toContain('Ravi joined');
  });
});

describe('who does what somebody writes that they do', () => {
  const talk = smallDocument(
    'talk.txt',
    `[02/09/2023, 18:04:11] Maya: poster for the meeting is due friday
[02/09/2023, 18:05:30] Pierre: I can upload the data tonight
[02/09/2023, 18:09:47] Maya: who gives the talk?
[02/09/2023, 18:10:15] Pierre: I think you know it best
[03/09/2023, 20:44:19] Maya: ok, then I give the talk`,
  );
  it.each([
    ['Who gives the talk?', 'Maya: ok, then I give the talk'],
    ['Who uploads the data?', 'Pierre: I can upload'],
  ])('is the sender: %s', (question, said) => {
    expect(answerTo(question, talk)).toContain(said);
  });
});

describe('a family in a table and in a text', () => {
  const tree = smallTable('tree.csv', [
    'name | born | died | parents | spouse | occupation',
    'Wilhelm Brandt | 1879 | 1938 | | Marthe Kruse | wheelwright',
    'Otto Brandt | 1921 | 2003 | Wilhelm Brandt & Marthe Kruse | Ilse Paulsen | boat builder',
    'Karl Brandt | 1950 | | Otto Brandt & Ilse Paulsen | Anke Voss | teacher',
    'Renate Lorenzen | 1953 | 2019 | Otto Brandt & Ilse Paulsen | Peter Lorenzen | pharmacist',
  ]);
  const life = smallDocument(
    'grandfather.txt',
    `Otto Emil Brandt was born on 3 February 1921 in Stolp. His father Wilhelm was a wheelwright, his mother Marthe kept the post office.

In 1947 he came to Lübeck. There he met Ilse Paulsen at a dance. They married on 18 June 1949 and had three children.`,
    { n: 2 },
  );

  it('is answered from the text where that says when something was', () => {
    expect(answerTo('When did Otto and Ilse get married?', tree, life)).toContain('18 June 1949');
    expect(answerTo('When did Renate die?', tree, life)).toContain('2019');
  });

  it('has no rows in common for a question about the father of somebody: those that name him are of the children', () => {
    expect(quoteAskedRows(analyse("What did Otto's father do?"), [tree])).toBeUndefined();
  });
});

describe('the lines above a mail', () => {
  it('do not say when something is that the mail is about', () => {
    expect(answerTo('When is the street party?', mail)).toContain('Saturday 22 June');
  });
});

describe('minutes of several months', () => {
  const minutesOf = (month: string, day: string, text: string, n: number) =>
    smallDocument(`2024-${month}-${day}-minutes.md`, text, { n });
  const january = minutesOf('01', '16', '# Minutes, 16 January 2024\n\nApologies: Cllr Vance (unwell).', 1);
  const march = minutesOf('03', '19', '# Minutes, 19 March 2024\n\nApologies: Cllr Lightfoot (holiday).', 2);

  it('answer with those of the month that is asked about', () => {
    expect(answerTo('Who sent apologies in January?', january, march)).toContain('Vance');
    expect(answerTo('Who sent apologies in March?', january, march)).toContain('Lightfoot');
  });

  it('answer with the newest where no month is named', () => {
    expect(answerTo('Who sent apologies?', january, march)).toContain('Lightfoot');
  });
});

describe('a paragraph that begins with its day', () => {
  const diary = smallDocument(
    'diario.md',
    `# Diario del huerto

**10 de abril.** Planté las patatas en el bancal norte. Mucho viento.

**9 de julio.** Primer tomate maduro, un Cherry. Las lechugas han espigado.`,
  );

  it('says when what it tells was', () => {
    expect(answerTo('¿Cuándo maduró el primer tomate?', diary)).toBe(
      '9 de julio. Primer tomate maduro, un Cherry. [1]',
    );
  });
});

describe('a question why', () => {
  const party = smallDocument(
    'party.txt',
    `The party is on Saturday. Everybody brings a salad.

Fireworks: no. Sorry Colin. The insurers said absolutely not, because of the thatch on no. 9. See you there.`,
  );

  it('is answered with the reason some sentences later', () => {
    expect(answerTo('Why are there no fireworks?', party)).toBe(
      'Fireworks: no. Sorry Colin. The insurers said absolutely not, because of the thatch on no. 9. [1]',
    );
  });
});

describe('a heading with a day', () => {
  const changes = smallDocument(
    'CHANGELOG.md',
    `# Changelog

## Version 3 - 2023-09-02

- Added the command plot.

## Version 2 - 2023-06-10

- Removed the option --legacy.`,
  );

  it('says when a version was released', () => {
    expect(answerTo('When was version 2 released?', changes)).toContain('2023-06-10');
  });
});

describe('what is missing beside a rival of it', () => {
  const notes = smallDocument(
    'notes.md',
    `# Portugal

Rental car: Guerin, Lisbon airport. We paid 287 €. A deposit of 1,000 € goes on the card of Nina.

The hotel takes a deposit of 20 %.`,
  );

  it('may be named in a sentence before', () => {
    expect(answerTo('How much is the deposit for the car?', notes)).toContain('1,000 €');
  });
});

describe('lines of a text file', () => {
  const notes = smallDocument(
    'contacts.txt',
    `Notes for the weekend

Hotel address:
Quinta das Murtas
Rua Eduardo van Zeller 4
2710-591 Sintra

The long text of this note is wrapped by hand at the end of each line, as
people did in letters, so that its lines are joined when they are shown.`,
  );

  it('are kept where they are short', () => {
    expect(answerTo('What is the address of Quinta das Murtas?', notes)).toBe(
      'Hotel address:  \nQuinta das Murtas  \nRua Eduardo van Zeller 4  \n2710-591 Sintra. [1]',
    );
  });

  it('are joined where the text is wrapped', () => {
    expect(answerTo('How is the long text of the note wrapped?', notes)).not.toContain('\n');
  });
});
