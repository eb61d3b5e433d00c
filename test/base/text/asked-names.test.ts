import { describe, expect, it } from 'vitest';
import { namesAsked } from '../../../src/base/text/asked-names.ts';

describe('what a question asks the meaning of', () => {
  it.each([
    ['What is a detached HEAD?', ['detached HEAD']],
    ['What does git gc do?', ['git gc']],
    ['What is the difference between json and jsonb?', ['json', 'jsonb']],
    ['how does a shed differ from a vault?', ['a shed', 'a vault']],
    ['How do I install it?', []],
  ])('%s', (question, names) => expect(namesAsked(question)).toEqual(names));
});
