/** The minutes of a club and notes at home: the newest that is said of a thing, and nothing where the notes speak of others. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { smallDocument } from './small-documents.ts';

const march = smallDocument(
  'minutes-2026-03.md',
  `# Rowing club: minutes of the board meeting, 14 March 2026

Present: Anna Brandt (chair), Jonas Vogel (treasurer), Mei Lin (boats), Piotr Zielinski (youth).

1. Membership fee rises from 120 € to 132 € per year from 1 July 2026.
2. The four has a cracked rigger. Mei gets a quote.
3. Summer party on 20 June 2026 from 3 pm. Piotr organises the grill.

Next meeting: 9 May 2026, 7 pm, at the boathouse.`,
);
const may = smallDocument(
  'minutes-2026-05.md',
  `# Rowing club: minutes of the board meeting, 9 May 2026

Present: Anna Brandt, Jonas Vogel, Mei Lin, Sara Haddad.

1. The quote for the rigger is 410 €. Repaired by end of May.
2. The summer party is moved to 27 June 2026, because of the regatta in Mannheim on the 20th.
3. Account balance on 30 April: 8,412.55 €.`,
  { n: 2 },
);
const home = smallDocument(
  'home.md',
  `# Home

- Error F.22 = pressure too low. Error F.28 = no ignition.
- Provider hotline 0800 555 0199, customer number 4471-22.
- Dentist: 4 June, 10 am.
- Next gathering of the neighbours: 3 July.`,
);
const premiums = smallDocument(
  'insurance.md',
  '# Insurance\n\n| Policy | Yearly premium |\n|---|---|\n| Liability | 64 € |\n| Car | 512 € |',
);
const rent = smallDocument('rent.md', '# Rent\n\nThe rent was raised to 912 € in June 2024.');
const verein = smallDocument('verein.md', '# Verein\n\nNächstes Treffen: 9. Mai, 19 Uhr im Bootshaus.');
const club = smallDocument('club.md', '# Club\n\nProchaine réunion : le 9 mai à 19 h.');
const dates = smallDocument(
  'dates.md',
  '# Notes\n\n- The concert is on 18 May at 7 pm.\n- The concert is moved to 1 June.',
);

const ask = (question: string, ...sources: readonly ReturnType<typeof smallDocument>[]) =>
  answer(question, sources).pieces.join('');

describe('of minutes of two meetings', () => {
  it.each([
    ['Who is the treasurer?', 'Jonas Vogel (treasurer)'],
    ['Who is the chair?', 'Anna Brandt (chair)'],
    ['When is the next board meeting?', 'Next meeting: 9 May 2026'],
    ['When is the summer party?', 'moved to 27 June 2026'],
    ['Who organises the grill?', 'Piotr organises the grill'],
    ['Who gets a quote?', 'Mei gets a quote'],
  ])('those that say it answer: %s', (question, expected) => {
    expect(ask(question, march, may)).toContain(expected);
  });

  it('those that name no next meeting do not say when it is', () => {
    expect(ask('When is the next board meeting?', { ...may, n: 1 })).toBe('');
  });
});

describe('an event that was moved', () => {
  it('is on the later day, and its hour stays', () => {
    expect(ask('When is the concert?', dates)).toContain('1 June');
    expect(ask('What time is the concert?', dates)).toContain('7 pm');
  });
});

describe('what notes do not have', () => {
  it.each([
    ['When is the next concert?', march],
    ['When is my next dentist appointment?', march],
    ['When is the next holiday?', march],
    ['When is the next vet appointment?', home],
    ['Wann ist das nächste Konzert?', verein],
    ['Quand est le prochain concert ?', club],
    ['What does error F.75 mean?', home],
    ['What is the phone number of the plumber?', home],
    ['How much is the annual bonus?', premiums],
  ])('is not answered with what they have: %s', (question, source) => {
    expect(ask(question, source)).toBe('');
  });

  it.each([
    ['When is the next meeting?', march, '9 May 2026'],
    ['When is my next dentist appointment?', home, '4 June'],
    ['When is the next event?', march, '9 May 2026'],
    ['Wann ist die nächste Sitzung?', verein, '9. Mai'],
    ['Wann ist das nächste Vereinstreffen?', verein, '9. Mai'],
    ['Quand est la prochaine réunion ?', club, '9 mai'],
    ['What does error F.28 mean?', home, 'no ignition'],
    ['What is the phone number of the provider?', home, '0800 555 0199'],
    ['How much is the yearly premium for the car?', premiums, '512'],
    ['How much was the rent in mid-2024?', rent, '912'],
  ])('differs from what they say in other words: %s', (question, source, expected) => {
    expect(ask(question, source)).toContain(expected);
  });
});

describe('what is asked for in other words', () => {
  const ferry = smallDocument('ferry.md', '# Ferry to Varnay\n\nThe ferry to Varnay leaves at 8:15 and 14:30.');
  const bus = smallDocument('bus.md', '# Bus 12\n\nDer Bus fährt um 8:15 am Markt ab.');
  const bins = smallDocument('bins.md', '# Müllkalender\n\nPapier: 10. Mai 2026\nBiomüll: 6. Mai 2026');
  const assembly = smallDocument('ag.md', '# Club\n\nLa réunion a lieu le 9 mai à 19 h.');
  const gym = smallDocument('gym.md', '# Gym\n\nThe annual membership costs 300 €. A month costs 30 €.');
  const boiler = smallDocument('boiler.md', '# Boiler\n\nThe boiler shows F. 75 when the pressure is too low.');
  const burner = smallDocument('burner.md', '# Burner\n\nError 118 means no fuel.');
  const tunnel = smallDocument('tunnel.md', '# Tunnel\n\nThe tunnel on Interstate 95 is closed until 3 May.');
  const school = smallDocument('school.md', '# Schule\n\nDie Klasse 3 fährt am 4. Mai nach Bonn.');

  it.each([
    ['When does the next ferry sail?', ferry, '8:15'],
    ['When is the next ferry today?', ferry, '8:15'],
    ['At what time does the next ferry cross?', ferry, '8:15'],
    ['Wann fährt der nächste Bus los?', bus, '8:15'],
    ['Wann fährt der nächste Bus morgens?', bus, '8:15'],
    ['Wann ist die nächste Abholung von Papier?', bins, '10. Mai'],
    ['Quand a lieu la prochaine rencontre ?', assembly, '9 mai'],
    ['How much is a yearly pass?', gym, '300'],
    ['What does F.75 mean?', boiler, 'pressure is too low'],
    ['What does error F-75 mean?', boiler, 'pressure is too low'],
    ['What does error HR-118 mean?', burner, 'no fuel'],
    ['Until when is the tunnel on I-95 closed?', tunnel, '3 May'],
    ['Wann fährt die Kl.3 nach Bonn?', school, '4. Mai'],
  ])('is answered: %s', (question, source, expected) => {
    expect(ask(question, source)).toContain(expected);
  });

  it.each([
    ['When does the next concert start?', march],
    ['When is the next concert of the youth?', ferry],
    ['Wann ist die nächste Abholung von Glas?', bins],
    ['What does F.76 mean?', boiler],
    ['What does error HR-119 mean?', burner],
    ['Was bedeutet F.75?', home],
  ])('is not answered by other things: %s', (question, source) => {
    expect(ask(question, source)).toBe('');
  });
});
