import { describe, expect, it } from 'vitest';
import { readSentences } from '../../../../../src/engine/writing/support/reading/read-text.ts';
import { namesOf, readSentence } from '../../../../../src/engine/writing/support/reading/reading.ts';
import type { Clause } from '../../../../../src/engine/writing/support/structure/clause.ts';
import { clausesOf } from '../../../../../src/engine/writing/support/structure/clauses.ts';

/** Each clause in words: "agent > verb > patient", with its phrases and what is said of it in brackets. */
function read(sentence: string): string[] {
  const sentences = readSentences(sentence);
  const reading = readSentence(sentences.slice(0, 1), namesOf(sentences));
  const words = (from: number, to: number) =>
    reading.tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join(' ');
  const argument = (nouns: Clause['agent']) => nouns?.map(({ from, to }) => words(from, to)).join(' + ') ?? '–';
  return clausesOf(reading).map((clause) => {
    const phrases = clause.phrases
      .map(({ preposition, noun }) => `, ${preposition} ${words(noun.from, noun.to)}`)
      .join('');
    const notes = [
      clause.isNegated ? 'not' : '',
      clause.modality === 'fact' ? '' : clause.modality,
      clause.role === 'main' ? '' : clause.role,
      clause.isConditional ? 'on a condition' : '',
      clause.frame === undefined ? '' : `as "${reading.tokens[clause.frame]!.text}" says`,
      clause.isAttributed ? 'attributed' : '',
    ].filter(Boolean);
    const note = notes.length === 0 ? '' : ` [${notes.join('; ')}]`;
    return `${argument(clause.agent)} > ${reading.tokens[clause.verb]!.text} > ${argument(clause.patient)}${phrases}${note}`;
  });
}

describe('the clauses of a sentence', () => {
  it.each<[string, string, string[]]>([
    [
      'begin after the year that opens the sentence',
      'In 2015 Corvane acquired the firm Lettmann.',
      ['Corvane > acquired > the firm Lettmann, in 2015', 'Lettmann > firm > the firm [relative]'],
    ],
    [
      'keep what the subject is, where it is described',
      'Corvane is a maker of laboratory scales based in Oster.',
      ['Corvane > is > a maker of laboratory scales', '– > based > Corvane, in Oster [relative]'],
    ],
    [
      'take a plural for the object that it is',
      'Corvane makes laboratory scales.',
      ['Corvane > makes > laboratory scales'],
    ],
    ['also without a name', 'Since 1990 engineers have mended it.', ['engineers > mended > it, since 1990']],
    [
      'name who acts and on whom',
      'Queen Ingrid opened the bridge on 14 May 1931.',
      ['Queen Ingrid > opened > the bridge, on 14 May 1931'],
    ],
    ['turn a passive', 'The bridge was opened by Queen Ingrid.', ['Queen Ingrid > opened > The bridge']],
    [
      'share the subject, and the voice, that "and" joins',
      'It was designed by Ingrid Solvay and first lit on 3 May 1887.',
      ['Ingrid Solvay > designed > It', '– > lit > It, on 3 May 1887'],
    ],
    [
      'keep what a passive names, and go on after an object and a comma',
      'Holm FC, who had lost two finals, won the cup, and Berg was named player of the match.',
      ['Holm FC > lost > two finals [relative]', 'Holm FC > won > the cup', '– > named > Berg, as player of the match'],
    ],
    [
      'take a noun before a verb for no verb',
      'The power cut lasted six hours.',
      ['The power cut > lasted > six hours'],
    ],
    [
      'are implied by a name between commas',
      'The head nurse, Amina Kato, slept.',
      ['The head nurse + Amina Kato > slept > –', 'Amina Kato > , > The head nurse [relative]'],
    ],
    [
      'are implied by a title before a name',
      'The brewer Tobias Wend paid the rent.',
      ['The brewer Tobias Wend > paid > the rent', 'Tobias Wend > brewer > The brewer [relative]'],
    ],
    [
      'are implied by the noun of an action',
      'The opening of the bridge by Queen Ingrid in 1931 was late.',
      [
        'The opening of the bridge > was > late, by Queen Ingrid, in 1931',
        'Queen Ingrid > opening > the bridge, in 1931 [relative]',
      ],
    ],
    [
      'have their own subjects after "and"',
      'Anna met Ben and the king left.',
      ['Anna > met > Ben', 'the king > left > –'],
    ],
    [
      'speak of the noun before "who" and "which", and go on after them',
      'The bridge, which was designed by Ada Lindqvist, who had worked on cranes, collapsed in 1940.',
      [
        'Ada Lindqvist > designed > The bridge [relative]',
        'Ada Lindqvist > worked > –, on cranes [relative]',
        'The bridge > collapsed > –, in 1940',
      ],
    ],
    [
      'take the later subject of a participle',
      'Designed by Ada, the bridge was opened in 1931.',
      ['Ada > Designed > the bridge', '– > opened > the bridge, in 1931'],
    ],
    [
      'take both names of an apposition',
      'The operator, Norvik Energi, owns the farm.',
      ['The operator + Norvik Energi > owns > the farm', 'Norvik Energi > , > The operator [relative]'],
    ],
    [
      'are planned after "will" and "plan to"',
      'The county will build a hospital.',
      ['the county > build > a hospital [planned]'.replace('the', 'The')],
    ],
    [
      'keep the verb that frames them',
      'Norvik plans to sell its division.',
      ['Norvik > plans > –', 'Norvik > sell > its division [complement; as "plans" says]'],
    ],
    [
      'keep who says them',
      'Critics said that the bridge is a danger.',
      ['Critics > said > –', 'the bridge > is > a danger [complement; as "said" says]'],
    ],
    [
      'are attributed after "according to"',
      'According to Joss Pell, the reef is haunted.',
      ['– > haunted > the reef, to Joss Pell [attributed]'],
    ],
    [
      'hold under the condition next to them',
      'If the state pays, the county will build a hospital.',
      ['the state > pays > – [condition]', 'the county > build > a hospital [planned; on a condition]'],
    ],
    ['are denied by "not", "never" and "no longer"', 'It is no longer used.', ['– > used > It [not]']],
    ['may be', 'The drug may reduce pain.', ['The drug > reduce > pain [possible]']],
    ['have numbers with their nouns', 'It supplies about 600,000 homes.', ['It > supplies > 600,000 homes']],
    [
      'keep a purpose apart from what became of it',
      'A plan to extend the farm was dropped because of objections by the navy.',
      ['A plan > extend > the farm [planned]', '– > dropped > A plan, of objections, by the navy'],
    ],
  ])('%s', (_, sentence, clauses) => {
    expect(read(sentence)).toEqual(clauses);
  });

  it.each([
    'Die Brücke wurde am 14. Mai 1931 von Königin Ingrid eröffnet.',
    'Le pont a été inauguré.',
    '橋は1931年に開通した。',
    '',
    '– – –',
    '| a | b |',
  ])('are none, or harmless, where it is no English sentence: %s', (text) => {
    expect(() => read(`${text} x`)).not.toThrow();
  });

  it.each(['and the king ', 'who was ', 'if it is ', 'of the ', 'not ', 'was ', '1 ', 'designed by ', 'a, '])(
    'are none in a sentence of 100,000 characters without a stop: %s',
    (part) => {
      expect(read(`It ${part.repeat(Math.ceil(100_000 / part.length))}`)).toEqual([]);
    },
  );
});
