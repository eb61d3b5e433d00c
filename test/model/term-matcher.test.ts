/** What a matcher keeps at the forms of words never reaches another question. */
import { describe, expect, it } from 'vitest';
import { createTermMatcher } from '../../src/model/extractive/match/term-matcher.ts';
import { analyse } from '../../src/model/extractive/question/analyse.ts';
import { readPassage, stemsOfUnit } from '../../src/model/extractive/text/passages.ts';
import { stemOf } from '../../src/model/extractive/text/words.ts';

const text = `# Transit in New York City

New York City was founded in 1624 and has 472 subway stations. The price of a ride is 2.90 dollars.
It was established by Dutch colonists, whose governors came from Amsterdam; the requestTimeout of \`fare_api\` is 30 seconds.

- Arnold Schwarzenegger rode it once.
- Nothing here is asked for.

| Line | Stations |
| --- | --- |
| Lexington Avenue | 23 |
`;
const { units } = readPassage({
  n: 1,
  snapshot: 'snap_term_matcher',
  start: 0,
  title: 'Transit in New York City',
  headings: '',
  text,
  score: 1,
  url: 'https://example.org/',
});
const questions = [
  'When was NYC founded?',
  'How much does a ride cost?',
  'What is the request timeout of the fare API?',
  'Did Arnold Schwarzeneger ride the subway?',
  'Which line has 23 stations?',
];

describe('the term matcher', () => {
  it('finds in words that were read once what it finds in their stems, whichever question met them last', () => {
    const matchers = questions.map((question) => createTermMatcher(analyse(question)));
    for (const unit of units) {
      for (const matcher of [...matchers, ...matchers.toReversed()]) {
        const stems = stemsOfUnit(unit);
        const own = matcher.readText(unit);
        expect(own).toEqual(matcher.read(stems));
        expect(matcher.readTextWithSynonyms(unit, own)).toEqual(matcher.readWithSynonyms(stems, own));
      }
    }
  });

  it('tells words that only begin alike, but not the forms of one word', () => {
    const finds = (question: string, word: string) =>
      createTermMatcher(analyse(question)).match(stemOf(word)) !== undefined;
    expect(finds('Is there a study?', 'studio')).toBe(false);
    expect(finds('Is the interest paid?', 'internet')).toBe(false);
    expect(finds('Who is from Tibet?', 'Tibetan')).toBe(true);
    expect(finds('Is there a description?', 'describes')).toBe(true);
  });

  it('matches initials, parts of identifiers, other spellings and synonyms in read words', () => {
    const strengthOf = (question: string, stem: string) => {
      const analysed = analyse(question);
      const matcher = createTermMatcher(analysed);
      const term = analysed.terms.findIndex((each) => each.stem === stem);
      return Math.max(...units.map((unit) => matcher.readTextWithSynonyms(unit, matcher.readText(unit))[term]!));
    };
    expect(strengthOf(questions[0]!, 'nyc')).toBe(1);
    expect(strengthOf(questions[1]!, 'cost')).toBe(0.5);
    expect(strengthOf(questions[2]!, 'timeout')).toBe(1);
    expect(strengthOf(questions[3]!, 'schwarzeneg')).toBeGreaterThan(0.5);
  });
});
