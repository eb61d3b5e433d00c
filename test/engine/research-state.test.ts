/** Sources of a search, described from passages that other searches found, too. */
import { describe, expect, it } from 'vitest';
import type { Passage } from '../../src/engine/ports/snapshot.ts';
import { createResearchState } from '../../src/engine/research-state.ts';

const text = `Heron Point\n\nLighthouse ${'was built by the harbour board and painted white '.repeat(12)}`;
const passage: Passage = {
  snapshot: 'sn_1',
  url: 'https://www.example.org/heron',
  title: 'Heron Point',
  headings: '',
  text,
  start: 40,
  end: 40 + text.length,
  score: 3,
};
const sourceOf = (found: Passage) => createResearchState().source(found).source;

describe('sources', () => {
  it('are the same for a passage in one search after another', () => {
    const { snippet = '', ...first } = sourceOf(passage);
    const { title, url } = passage;
    expect(first).toEqual({ id: 'src_1', n: 1, url, title, domain: 'example.org', snapshot: 'sn_1' });
    expect(snippet).toMatch(/^Heron Point Lighthouse was built [^\n]{100,220}…$/);
    expect(sourceOf({ ...passage, score: 1 })).toEqual({ ...first, snippet });
  });

  it('have the title and the date that the page has now, and the text of their own passage', () => {
    sourceOf(passage);
    const changed = sourceOf({ ...passage, title: 'Heron Point (closed)', published_at: '2026-01-02' });
    expect(changed).toMatchObject({ title: 'Heron Point (closed)', published_at: '2026-01-02' });
    expect(sourceOf({ ...passage, start: 0, end: 9, text: 'Gull Rock' }).snippet).toBe('Gull Rock');
    expect(sourceOf({ ...passage, url: 'https://other.example/heron' }).domain).toBe('other.example');
  });
});
