/** Mails, minutes of a morning, notes of a garden and of a family: what their questions ask for, in four languages. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { readAskedForm } from '../../../src/model/extractive/question/asked/asked-form.ts';
import { valueAskedBy } from '../../../src/model/extractive/question/asked/asked-value.ts';
import { smallDocument, smallTable } from './small-documents.ts';

const outage = smallDocument(
  'outage.md',
  `# Outage of the booking page

06:10 first complaint by mail.
06:50 old logs deleted, service back.
07:30 note sent to all members.`,
);
const mail = smallDocument(
  'mail.md',
  `# Boiler

The boiler bangs because of limescale. I can come on Thursday 14 March between 8 and 10 in the morning.

My parents arrive on the 28th. Your no-claims discount falls from 4 years to 2 at the next renewal.`,
);
const study = smallDocument(
  'study.md',
  `# Amber glasses

We enrolled 64 nurses at two hospitals. Nurses with known sleep apnoea, those who took sedatives, and pregnant women were excluded.

Glasses were worn for three hours before bedtime.`,
);
const family = smallTable('family.md', [
  'name | born | died | occupation',
  'Karl Morrel | 1950 | | teacher',
  'Grete Morrel | 1912 | 1990 | weaver',
  'Helena Morrel | 1986 | | engineer',
]);
const apfelkuchen = smallDocument(
  'apfelkuchen.md',
  `# Apfelkuchen vom Blech

- 500 g Mehl
- 1,5 kg Äpfel
- 100 g Butter

Hefe in der Milch auflösen, mit Mehl und Zucker verkneten.`,
);
const unfall = smallDocument(
  'unfall.md',
  `# Ihr Unfall

Schadennummer 23-1187-554 / Versicherungsschein K 702 441 9.

Die Nordkasse Versicherung zahlt 85 Prozent der Lohnkosten. Die Versicherung hat ihren Sitz in Bremen.`,
);
const classe = smallDocument(
  'classe.md',
  `# Classe verte

Les deux classes partiront le lundi 3 juin. Le séjour coûte 285 € par enfant. La mairie prend en charge 60 €, il reste donc 225 € à la charge des parents.

Il y aura 47 élèves, accompagnés de deux animateurs.`,
);
const cena = smallDocument(
  'cena.md',
  `# Cena de Navidad

La cena de Navidad será el viernes 15 de diciembre en el restaurante La Parra. Precio: 30 €, los niños 12 €.`,
);

const museum = smallDocument(
  'museum.md',
  `# 博物馆参观指南

博物馆位于东街28号，建于1987年。开放时间：周二至周日9:00—17:00，周一闭馆。特展票价40元，学生半价。

馆内可以拍照，但不能使用闪光灯，因为强光会损坏丝织品。

3号楼的电梯4月8日到12日大修。快递员小马捡到一个钱包，还给了失主。早上坐高铁去昆明，给外孙女买了一个手镯。`,
);
const bank = smallTable('bank.md', [
  'Date | Description | Amount',
  '2024-01-04 | Bristol Energy | -98.10',
  '2024-02-05 | Bristol Energy | -112.40',
]);

const said = (question: string, ...sources: Parameters<typeof answer>[1]) => answer(question, sources).pieces.join(' ');

describe('a question', () => {
  it.each([
    ['When is Dr. Marsh coming?', 'day'],
    ['How much is a 1.5 l bottle?', 'money'],
    ['When was 2.0.0 released?', 'day'],
    ['Is the shop open? When is it full?', 'permission'],
    ['I am new. When is the meeting at 5 p.m. over?', 'clock'],
    ['What happens to my discount?', undefined],
    ['Combien les parents doivent-ils payer ?', 'money'],
    ['¿Cuánto pagan los niños?', 'money'],
    ['Was hat die Reparatur gekostet?', 'money'],
    ['Bei wie viel Grad wird gebacken?', 'measure'],
    ['Combien de parents sont venus ?', 'count'],
  ])('asks for a type of value: %s', (question, type) => {
    expect(valueAskedBy(question)).toBe(type);
  });

  it.each(['A.', 'Dr. ', '多少', 'a.b'])('is read in bounded time, however often it has "%s"', (part) => {
    // A pattern that takes exponential time would not end.
    const hostile = part.repeat(1_000);
    expect([undefined, 'count']).toContain(valueAskedBy(hostile));
    expect([undefined, 'count']).toContain(valueAskedBy(`${hostile}. x?`));
  });

  it('for a price does not take a year in a table for one', () => {
    const form = readAskedForm("What is Helena's salary?")!;
    expect(form.count('Helena | 1986 | engineer', true)).toBe(0);
    expect(form.count('Helena | 2986 | engineer', true)).toBe(1);
  });
});

describe('an answer from mails and notes', () => {
  it.each([
    ['When was the service back?', outage, '06:50'],
    ['When do my parents arrive?', mail, '28th'],
    ['What happens to my no-claims discount?', mail, 'falls from 4 years'],
    ['Who was excluded?', study, 'sleep apnoea'],
    ['When did Grete die?', family, '1990'],
    ['Wie viel Mehl brauche ich für den Apfelkuchen?', apfelkuchen, '500 g Mehl'],
    ['Wie lautet die Schadennummer?', unfall, '23-1187-554'],
    ['Combien les parents doivent-ils payer ?', classe, '225 €'],
    ['¿Cuánto pagan los niños en la cena?', cena, '12 €'],
    ['How much did I pay for energy in February?', bank, '112.40'],
    ["Combien d'élèves partent ?", classe, '47 élèves'],
    ['博物馆在哪里？', museum, '东街28号'],
    ['特展的票价是多少？', museum, '40元'],
    ['为什么不能用闪光灯？', museum, '损坏丝织品'],
    ['电梯什么时候大修？', museum, '4月8日'],
    ['谁捡到了钱包？', museum, '小马'],
  ])('says what is asked for: %s', (question, source, words) => {
    expect(said(question, source)).toContain(words);
  });

  it.each([
    ['Welche Farbe hat der Golf?', 'Der Golf ist rot.'],
    ['Welchen Namen hat der Hund?', 'Der Hund heißt Bello.'],
    ['Gibt es heute Kuchen?', 'Heute backen wir Kuchen im Hof.'],
    ['Quelle est la hauteur de la tour ?', 'La tour mesure 30 mètres.'],
    ['¿Cuál es el precio del billete?', 'El billete cuesta 5 euros.'],
    ['Wie hoch ist die Miete?', 'Guten Tag Frau Weber, Ihre Miete beträgt ab Mai 640 Euro.'],
    ['Who created Hello Kitty?', 'Hello Kitty, a cartoon cat without a mouth, was created by Yuko Shimizu.'],
    ['When is the fair?', 'What: summer fair\nWhen: 12 July\nWhere: the green'],
  ])('says it in words of its own: %s', (question, text) => {
    expect(said(question, smallDocument('note.txt', text))).toContain(
      text.includes('fair') ? 'When: 12 July' : text.replace('Guten Tag Frau Weber, ', ''),
    );
  });

  it.each([
    ['When did Karl die?', family],
    ["What is Helena's salary?", family],
    [
      'Wie hoch ist der Jahresbeitrag der Versicherung?',
      smallDocument('brief.md', 'Die Versicherung hat ihren Sitz in Bremen.'),
    ],
    ["What is Karl's address?", family],
    [
      'Y a-t-il une piscine au centre ?',
      smallDocument('centre.md', 'Les deux classes partiront au centre Les Genêts.'),
    ],
    ['高铁票多少钱？', museum],
    ['外孙女几岁？', museum],
    ['博物馆有多少栋楼？', museum],
  ])('is none where nothing says it: %s', (question, source) => {
    expect(said(question, source)).toBe('');
  });
});
