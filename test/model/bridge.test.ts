import { describe, expect, it } from 'vitest';
import { createExtractiveModel } from '../../src/model/extractive/extractive.ts';
import { analyse } from '../../src/model/extractive/question/analyse.ts';
import { isCompound } from '../../src/model/extractive/question/bridge.ts';

describe('a question that two pages answer together', () => {
  it.each([
    'Were Scott Derrickson and Ed Wood of the same nationality?',
    'Where was the husband of Peggy Seeger born?',
    'In which city was the director of the film My Fair Lady born?',
    'Who is the wife of the architect of the Sydney Opera House?',
    'When was the college from which Rosalind Franklin graduated founded?',
    "Where did Ada Lovelace's father die?",
  ])('recognises that two pages are needed: %s', (question) => expect(isCompound(analyse(question))).toBe(true));

  it.each([
    'Who is the author of Moby-Dick?',
    'What is the capital of Mongolia?',
    'When was the Sydney Opera House opened?',
    'How do I set a request timeout in undici?',
  ])('recognises that one page answers: %s', (question) => expect(isCompound(analyse(question))).toBe(false));

  it('follows the names of all best sentences, not only of the first one', async () => {
    await using model = disposed(createExtractiveModel());
    const text =
      'Augusta Ada King, Countess of Lovelace was an English mathematician, known for her work on the Analytical Engine of Charles Babbage. She was the only child of the poet Lord Byron, her father.';
    const url = 'https://people.example/ada';
    const page = {
      n: 1,
      snapshot: url,
      url,
      title: 'Ada Lovelace',
      headings: '',
      text,
      start: 0,
      end: text.length,
      score: 9,
    };
    const question = 'Where did the father of Ada Lovelace die?';
    const brief = { prompt: question, question, previous: [], today: '2026-01-01' };
    const meter = { admit: () => {}, left: () => Number.POSITIVE_INFINITY, record: () => {} };
    const { queries } = await model.reflect(brief, [page], { signal: new AbortController().signal, meter });
    expect(queries.join('\n')).toContain('Lord Byron');
  });
});

function disposed<Part extends { close(): Promise<void> }>(part: Part): Part & AsyncDisposable {
  return Object.assign(part, { [Symbol.asyncDispose]: () => part.close() });
}
