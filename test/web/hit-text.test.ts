import { expect, it } from 'vitest';
import { hitOf } from '../../src/web/providers/adapter.ts';

it.each([
  ['Romeo &amp; Juliet', 'Romeo & Juliet'],
  ['It&#x27;s &quot;<b>so</b>&quot;&nbsp;late', 'It\'s "so" late'],
  ['a &lt;b&gt; tag, 1 < 2 &amp; 3', 'a <b> tag, 1 < 2 & 3'],
  ['AT&T; R&D', 'AT&T; R&D'],
])('a hit titled %s reads as %s', (title, expected) => {
  expect(hitOf('https://a.test/', title, title)).toMatchObject({ title: expected, snippet: expected });
});
