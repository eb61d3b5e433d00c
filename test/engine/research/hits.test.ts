/** How the lists of search providers become one. */
import { expect, it } from 'vitest';
import { everySource } from '../../../protocol/index.ts';
import { mergeHits } from '../../../src/engine/research/hits.ts';

const listOf = (...paths: readonly string[]) =>
  paths.map((path) => ({ url: `https://example.org/${path}`, title: '', snippet: '' }));
const merged = (...lists: readonly ReturnType<typeof listOf>[]) =>
  mergeHits(lists, everySource).map(({ url }) => url.replace('https://example.org/', ''));

it('puts a page of two lists before one of a single list', () => {
  expect(merged(listOf('a', 'b'), listOf('c', 'b'))).toEqual(['b', 'a', 'c']);
});

it('counts a page once that one list has several times', () => {
  expect(merged(listOf('a', 'b', 'b#part', 'b'), listOf('a'))).toEqual(['a', 'b']);
  expect(merged(listOf('a', 'b', 'b', 'b', 'b'))).toEqual(['a', 'b']);
});
