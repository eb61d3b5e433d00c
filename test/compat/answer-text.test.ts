/** The text of an answer that a client repeats. */
import { expect, it } from 'vitest';
import { withoutSources } from '../../src/compat/answer-text.ts';

it.each([
  ['Solvay did. [1][2]', 'Solvay did.'],
  ['Solvay [1] built it [2].', 'Solvay built it.'],
  ['It was lit in 1887.[3] It is high.', 'It was lit in 1887. It is high.'],
  ['[1] says so.', ' says so.'],
  ['Use `argv[2]` and list[1].', 'Use `argv[2]` and list[1].'],
  ['Use `a [1]` and grid[1][2] [3].', 'Use `a [1]` and grid[1][2].'],
  ['Run:\n```js\nconst x = [1];\n```\nIt works [1].', 'Run:\n```js\nconst x = [1];\n```\nIt works.'],
  ['Not closed: ```\n[1]', 'Not closed: ```\n[1]'],
  ['Solvay did [1].\n\n**Sources**\n\n- [1] A: <https://a.example>', 'Solvay did.'],
])('of %j is %j', (answer, text) => {
  expect(withoutSources(answer)).toBe(text);
});

it('is found in linear time', () => {
  const begun = performance.now();
  for (const part of ['`', '``` ', ' [1]', 'a[1]', '[1]', '[12']) withoutSources(part.repeat(20_000));
  expect(performance.now() - begun).toBeLessThan(2_000);
});
