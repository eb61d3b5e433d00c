/** Answers from a list of questions with their answers, in the ways such lists are written. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import { smallDocument } from './small-documents.ts';

const list: readonly (readonly [question: string, answer: string])[] = [
  ['Is there Wi-Fi?', 'Yes, at the reception and in the café, free of charge.'],
  ['Where can we buy bread?', 'The kiosk sells fresh rolls from 7:30 to 10 am.'],
  ['Can I charge an electric car?', 'There are two charging points beside the reception.'],
  ['Do you accept credit cards?', 'We only take cash at the moment.'],
  ['How do I get a refund?', 'Write to us within 14 days and send the goods back.'],
];

describe.each<[string, (question: string, answer: string) => string]>([
  ['headings', (question, answer) => `### ${question}\n\n${answer}`],
  ['bold questions above', (question, answer) => `**${question}**\n\n${answer}`],
  ['bold questions before', (question, answer) => `**${question}** ${answer}`],
  ['bold questions in a line of their own', (question, answer) => `**${question}**\n${answer}`],
  ['paragraphs', (question, answer) => `${question}\n\n${answer}`],
  ['lines', (question, answer) => `${question}\n${answer}`],
  ['Q and A', (question, answer) => `Q: ${question}\nA: ${answer}`],
  ['bold Q and A', (question, answer) => `**Q: ${question}**\n\n**A:** ${answer}`],
])('a list of questions as %s', (_, write) => {
  const source = smallDocument(
    'faq.md',
    `# Questions\n\n${list.map(([one, other]) => write(one, other)).join('\n\n')}`,
  );
  const said = (question: string) => answer(question, [source]).pieces.join(' ');

  it.each(list)('answers its own question: %s', (question, expected) => {
    expect(said(question)).toContain(expected.slice(0, 20));
  });

  it.each([
    ['Is there wifi?', 'at the reception'],
    ['Do you take Visa?', 'only take cash'],
  ])('answers it in other words: %s', (question, expected) => {
    expect(said(question)).toContain(expected);
  });

  it.each(['Is there a sauna?', 'Is there a restaurant?'])('does not answer another: %s', (question) => {
    expect(said(question)).toBe('');
  });
});

describe('a sentence that begins with "Yes" or "No"', () => {
  it.each([
    [
      'Is smoking allowed on the balcony?',
      '# Rules\n\nNo, smoking on the balcony is not allowed. Parties end at ten.',
      'No, smoking',
    ],
    [
      'Can I pay with a credit card?',
      '# Good to know\n\nYes, you can pay with a credit card at the counter. We also sell cakes.',
      'at the counter',
    ],
    [
      'Gibt es einen Bus zum Strand?',
      '# Unterwegs\n\nJa, der Bus zum Strand fährt jede Stunde. Fahrräder kann man leihen.',
      'jede Stunde',
    ],
    ['Which well is the deepest?', '# Overview\n\nNo. 3 is the deepest well. No. 4 is dry.', 'No. 3'],
    ['How many employees does it have?', '# Key figures\n\n- No. of employees: 250\n- Revenue: 3 million euros', '250'],
  ])('answers what it says itself, below whatever heading: %s', (question, text, expected) => {
    expect(answer(question, [smallDocument('page.md', text)]).pieces.join(' ')).toContain(expected);
  });
});
