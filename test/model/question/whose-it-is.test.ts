/** Lines, numbers and times that belong to somebody or something else than a question asks for, and lines that are read one by one. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { smallDocument } from '../answer/small-documents.ts';

const ask = (question: string, ...sources: readonly Parameters<typeof answer>[1][number][]) =>
  answer(question, sources).pieces.join('');

const minutes = smallDocument(
  'minutes.txt',
  `Oakridge School – Board of Governors
Minutes of the meeting held on Tuesday 10 March 2026, 6.00 pm, in the library

Present: Dr Helen Voss (chair), Mr Adeyemi (head teacher), Mrs Sandra Pike, Rev. Tom Lacey, Ms Yuki Mori (staff governor), Mr Dan Fry (clerk)
Apologies: Cllr Bates, Mrs Khan

1. Building
The roof of the sports hall leaks. Work starts on 30 March and takes two weeks. The sports hall is closed during that time.

2. Any other business
The football coach of Year 4 is Mr Fry. Parking in front of the gate remains a problem.

Next meeting: Tuesday 12 May 2026, 6.00 pm
The meeting closed at 7.50 pm.`,
);

describe('lines of minutes', () => {
  it.each([
    ['Who sent apologies?', 'Apologies: Cllr Bates, Mrs Khan. [1]'],
    ['When is the next meeting?', 'Next meeting: Tuesday 12 May 2026, 6.00 pm. [1]'],
  ])('are read one by one: %s', (question, written) => {
    expect(ask(question, minutes)).toBe(written);
  });
  it('that text was wrapped to are not', () => {
    const wrapped = smallDocument(
      'note.txt',
      `Rehearsal room: the Methodist hall, where we have met since the
Reverend Cole gave us a key, is closed on Fridays.`,
    );
    expect(ask('When is the hall closed?', wrapped)).toContain('Reverend Cole gave us a key');
  });
});

describe('a time that another sentence says', () => {
  it.each([
    ['When is the sports hall closed?', minutes, '30 March'],
    [
      'Wann ist die Halle geschlossen?',
      smallDocument(
        'halle.md',
        '# Halle\n\nVom 4. bis 18. Mai wird das Dach erneuert. In dieser Zeit ist die Halle geschlossen.',
      ),
      '4. bis 18. Mai',
    ],
  ])('comes with it: %s', (question, source, said) => {
    expect(ask(question, source)).toContain(said);
  });
});

it('the hours of a later part of a text are not those of what its first sentence is about', () => {
  const later = smallDocument(
    'later',
    'The roof of the sports hall leaks. The sports hall is closed in April.\n\nThe office closes on Monday at 7.50 pm.',
    { start: 900 },
  );
  expect(ask('When is the sports hall closed?', later)).toContain('April');
});

describe('what has another number', () => {
  const house = smallDocument(
    'haus.md',
    '# Haus Seeblick\n\nIn Zimmer 12 wohnt Frau Adler. Das Fenster in Zimmer 4 klemmt.\n\nGuests in rooms 1 to 6 have breakfast at 8.30 am. The key of Room 9 is with Paula Marsh.',
  );
  it.each([
    ["Who is Year 6's football coach?", minutes],
    ['Wer wohnt in Zimmer 14?', house],
    ['Who has the key of Room 7?', house],
  ])('does not answer: %s', (question, source) => {
    expect(ask(question, source)).not.toMatch(/Fry|Adler|Marsh/);
  });
  it.each([
    ["Who is Year 4's football coach?", minutes, 'Fry'],
    ['Wer wohnt in Zimmer 12?', house, 'Adler'],
    ['Who has the key of Room 9?', house, 'Marsh'],
    ['When do guests in room 3 have breakfast?', house, '8.30 am'],
  ])('answers of its own: %s', (question, source, said) => {
    expect(ask(question, source)).toContain(said);
  });
});

it('the number in the next row is that of somebody else', () => {
  const people = smallDocument(
    'people.md',
    '# People\n\n| Role | Name | Contact |\n|---|---|---|\n| Pianist | Piotr Nowak | – |\n| Chair | Brenda Fell | 01632 960 118 |',
  );
  expect(ask("What is Piotr's phone number?", people)).not.toContain('960 118');
  expect(ask("What is Brenda's phone number?", people)).toContain('960 118');
});

it('what announces a table comes with its rows', () => {
  const rules = smallDocument(
    'satzung.md',
    '# Satzung\n\n## Bootshaus\n\nÖffnungszeiten des Bootshauses:\n\n| Tag | Zeit |\n|---|---|\n| Montag | geschlossen |\n| Samstag | 9–18 Uhr |\n\nGäste rudern nur in Begleitung.',
  );
  const written = ask('oeffnungszeiten bootshaus', rules);
  expect(written).toContain('| Montag | geschlossen [1] |');
  expect(written).toContain('| Samstag | 9–18 Uhr [1] |');
});

describe('a post that several have', () => {
  const sports = smallDocument(
    'sports.md',
    "# Sports\n\nThe swimming coach, Ana Ruiz, stays for another year. The chess team's coach, Peter Lind, cannot come. Ben's coach is Mira Holt. The hall was built in 1970.\n\nThe head of the music department is Ida Falk. Treasurer: Omar Said.",
  );
  const verein = smallDocument(
    'verein.md',
    '# Verein\n\nDer Trainer der Jugend ist Max Pohl. Die Leiterin des Chors ist Eva Brand. Kassenwart ist Tom Kern.',
  );
  it.each([
    ['Who is the swimming coach?', sports, 'Ana Ruiz'],
    ['Who is the coach of the chess team?', sports, 'Peter Lind'],
    ["Who is Ben's coach?", sports, 'Mira Holt'],
    ['Who is the head of music?', sports, 'Ida Falk'],
    ['Who is the treasurer of the club?', sports, 'Omar Said'],
    ['Wer ist die Leiterin des Chors?', verein, 'Eva Brand'],
    ['Wer ist der Kassenwart des Vereins?', verein, 'Tom Kern'],
  ])('is the one that is asked for: %s', (question, source, name) => {
    expect(ask(question, source)).toContain(name);
  });
  it.each([
    ['Who is the football coach?', sports],
    ["Who is Anna's coach?", sports],
    ['Who is the coach of the hockey team?', sports],
    ['Who is the head of the art department?', sports],
    ['Wer ist der Trainer der Damen?', verein],
    ['Wer ist die Leiterin des Orchesters?', verein],
  ])('is not that of another: %s', (question, source) => {
    expect(ask(question, source)).toBe('');
  });
});

describe('a message without a subject', () => {
  const chat = smallDocument(
    'chat.txt',
    `[02/05/2026, 18:03:11] Marta: Hi all, who's in for the lake on Saturday?
[02/05/2026, 18:04:40] Ben: me! can bring the big tent
[02/05/2026, 18:05:02] Priya: can you bring the kayak Leo?
[02/05/2026, 18:14:20] Leo: no nuts for me please!!
[02/05/2026, 18:15:20] Leo: I've got the van
[02/05/2026, 18:16:20] Ben: will it rain
[02/05/2026, 18:17:20] Jo: have fun
[02/05/2026, 18:18:20] Priya: sure, will book the ferry`,
  );
  it.each([
    ['Who brings the tent?', 'Ben: me! can bring the big tent. [1]'],
    ['Who books the ferry?', 'Priya: sure, will book the ferry. [1]'],
    ['Who is allergic to nuts?', 'Leo: no nuts for me please!! [1]'],
  ])('is about its sender: %s', (question, written) => {
    expect(ask(question, chat)).toBe(written);
  });
  it.each(['Who brings the guitar?', 'Who brings the kayak?', "Who can't bring the tent?"])(
    'says nothing of anything else: %s',
    (question) => {
      expect(ask(question, chat)).toBe('');
    },
  );
});

describe('the opening of what has none', () => {
  const leaflet = smallDocument(
    'leaflet.md',
    '# Visiting\n\nNo more than two visitors at a bed. The shop is closed at weekends. Car park: £2.60 for up to 3 hours, £8 for a day.',
  );
  it('is no price, and no duration', () => {
    expect(ask('When does the shop open?', leaflet)).not.toContain('Car park');
  });
  it.each(['The shop opens at 9.30.', 'The shop opens from 9 to 5.', 'The shop opens two hours before the show.'])(
    'is said: %s',
    (text) => {
      expect(ask('When does the shop open?', smallDocument('shop.md', `# Shop\n\n${text} Bags cost £2.60.`))).toContain(
        text,
      );
    },
  );
});

describe('whose post it is', () => {
  it.each([
    ['Wer ist der Hausmeister des Hauses?', 'Der Hausmeister heißt Tom Reed.'],
    ['¿Quién es el portero del edificio?', 'Nuestro portero es Luis Gil.'],
    ['Chi è il direttore del teatro?', 'Il direttore è Luca Neri.'],
    ['Who is the manager of the hotel?', 'Ada Merrow is the general manager.'],
    ['Who is the doctor of the hotel?', 'Call Nell Gray, the resident doctor.'],
  ])('is not said by articles and ranks: %s', (question, text) => {
    expect(ask(question, smallDocument('house.md', `# House\n\n${text} Bikes go in the cellar.`))).toContain(text);
  });
});

describe('the number of a thing', () => {
  it.each([
    [
      'line-7.md',
      '# Line 7',
      'When does the last bus of line 7 leave?',
      'The last bus leaves at 23:10, as that of line 3.',
    ],
    ['unit-5.md', '# Unit 5', 'What do I need for Unit 5?', 'You need the compass of Unit 4.'],
  ])('may be that of the page: %s', (name, title, question, text) => {
    expect(ask(question, smallDocument(name, `${title}\n\n${text} The test is on 12 May.`))).toContain(text);
  });
});

describe('a time', () => {
  it('may have a price after it', () => {
    const fair = smallDocument('fair.md', '# Fair\n\n- Yoga 18:30 £5\n- Film 19:30 £8');
    expect(ask('When does yoga start?', fair)).toContain('18:30');
  });
  it('is what a question of nothing else asks for', () => {
    const concert = smallDocument('k.md', '# Konzert\n\nUm 20 Uhr beginnt das Konzert. Einlass ist um 19.15 Uhr.');
    expect(ask('Um wie viel Uhr?', concert)).toContain('20 Uhr');
  });
});
