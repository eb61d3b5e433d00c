/** Which candidates of a search are returned, and in which order. */
import { describe, expect, it } from 'vitest';
import type { SourceRules } from '../../../protocol/source-rules.ts';
import { type Candidate, choosePassages } from '../../../src/corpus/search/choose-passages.ts';

const noRules: SourceRules = { only: [], never: [] };

function candidate(name: string, text: string, { headings = '', bm25 = 5 } = {}): Candidate {
  const url = `https://manual.example/${name.replaceAll(' ', '-')}`;
  const place = { start: 0, end: text.length, published_at: null };
  return { bm25, titled: 0, snapshot: `s_${name}`, url, title: name, headings, text, ...place };
}

function titles(question: string, words: string[], candidates: Candidate[], isWhole = false): string[] {
  const terms = words.map((word) => ({ word, idf: 3 }));
  const choice = { rules: noRules, limit: 3, isWhole, corpusSize: undefined, prefersOwn: false };
  return choosePassages(candidates, question, terms, choice).map(({ title }) => title);
}

const links = Array.from({ length: 12 }, (_, n) => `- pump key ${n} - page-${n}.html#pump`).join('\n');
const manual = candidate('Pumps', 'Press the key beside the pump and hold it for a moment.', { bm25: 1 });
const index = candidate('Keywords', links);
const changes = candidate('Release History', 'The key of the pump now starts it.');
const question = 'How do I start the pump with its key?';
const words = ['start', 'pump', 'key'];

describe('the passages of a search', () => {
  it('have what a version changed after the manual', () => {
    expect(titles(question, words, [changes, manual])).toEqual(['Pumps', 'Release History']);
    const version = candidate('News', changes.text, { headings: 'Notes › Version 1.2.0a (2022-02-22)' });
    expect(titles(question, words, [version, manual])).toEqual(['Pumps', 'News']);
  });

  it('have it where it ranks when the question is about versions', () => {
    const asked = 'Since which version does the key start the pump?';
    expect(titles(asked, words, [changes, manual])).toEqual(['Release History', 'Pumps']);
  });

  it('have code that sends the question as an example after what says something about it', () => {
    const code = `\`\`\`sh\ncurl /v1/search -d '{"prompt": "${question}"}'\n\`\`\`\n`;
    const client = candidate('Client', `Ask it over HTTP:\n\n${code}`, { bm25: 9 });
    expect(titles(question, words, [client, manual])).toEqual(['Pumps', 'Client']);
    const answering = candidate('Client', `${code}\nThe pump starts with the key beside it.`, { bm25: 9 });
    expect(titles(question, words, [answering, manual])).toEqual(['Client', 'Pumps']);
    const prose = candidate('Letter', `"${question}" was asked most, and the key starts it.`, { bm25: 9 });
    expect(titles(question, words, [prose, manual])).toEqual(['Letter', 'Pumps']);
    expect(titles('pump key', words, [client, manual])).toEqual(['Client', 'Pumps']);
  });

  it('have a list of links only if there is nothing else', () => {
    expect(titles(question, words, [index, manual, changes])).toEqual(['Pumps', 'Release History']);
    expect(titles(question, words, [index])).toEqual(['Keywords']);
  });

  it('have an index of a manual only if there is nothing else, even without its links', () => {
    const entries = Array.from({ length: 9 }, (_, n) => `|  | \`pump.key${n}\`: |  | Starting Pumps |`);
    const table = `|  | Entry |  | Section |\n|---|---|---|---|\n${entries.join('\n')}`;
    const ofManual = candidate('Variable Index', table, { bm25: 9 });
    expect(titles(question, words, [ofManual, manual])).toEqual(['Pumps']);
    expect(titles(question, words, [ofManual])).toEqual(['Variable Index']);
    const prices = entries.map((_, n) => `| pump key ${n} | ${n} euros |`).join('\n');
    expect(titles(question, words, [candidate('Price Index', prices, { bm25: 9 }), manual])[0]).toBe('Price Index');
  });

  it('have a list of keywords after the others', () => {
    const keywords = ['PUMP', 'START', 'KEY', 'STOP', 'ON', 'OFF', 'IN', 'OUT', 'UP', 'DOWN', 'GROUP BY'];
    const list = candidate('Words', keywords.map((word) => `- ${word}`).join('\n'), { bm25: 9 });
    expect(titles(question, words, [list, manual])).toEqual(['Pumps', 'Words']);
  });

  it('have a list of names where it ranks', () => {
    const names = Array.from({ length: 30 }, (_, n) => `- pump key ${n}`).join('\n');
    expect(titles(question, words, [candidate('Stock', names, { bm25: 9 }), manual])[0]).toBe('Stock');
  });

  it('keep their order in an index whose pages are returned whole', () => {
    expect(titles(question, words, [changes, manual], true)).toEqual(['Release History', 'Pumps']);
  });
});

describe('the title of a page', () => {
  it('counts without the name of its site', () => {
    const text = 'This command makes an empty store.';
    const long = candidate('pump init — Pump - The Waterworks 1.2.4 documentation', text);
    const other = candidate('pump init of The Waterworks 1.2.4 documentation', `${text} `);
    expect(titles('What does pump init do?', ['pump', 'init'], [other, long])).toEqual([long.title, other.title]);
  });

  it('are at most four of a page while a large index has others, and of a long document as many as are wanted', () => {
    const chapters = Array.from({ length: 9 }, (_, n) => {
      return { ...candidate('Pumps', `The pump ${n} starts by its key.`, { bm25: 20 - n }), start: 100 * n };
    });
    const found = (corpusSize: 'medium' | undefined) =>
      choosePassages(
        [...chapters, manual],
        question,
        words.map((word) => ({ word, idf: 3 })),
        {
          rules: noRules,
          limit: 8,
          isWhole: false,
          corpusSize,
          prefersOwn: false,
        },
      );
    expect(found(undefined)).toHaveLength(4);
    expect(found('medium')).toHaveLength(8);
    expect(new Set(found('medium').map(({ text }) => text)).size).toBe(8);
  });
});
