/** Pages that are put together at random, the same ones for the same seed. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { HostilePage } from './page.ts';

const tags = 'div p span table tr td th ul ol li a b i pre code blockquote h1 h2 svg math mrow template form select option script style title head body html article main nav noscript iframe details summary figure math:x x-y'.split(' ');
const texts = [
  'Words that can be read. ', '&amp;&lt;&#0;&#xD800;&#x10FFFF;&nope;', '\0', '\u202e\u200b\u2066', '](http://x)', '```', '|---|', '<', '</', '<!--', '-->', '<![CDATA[', ']]>', '"', "'", '\r', '\u0301', '{"a":[', '%PDF-1.4', 'a'.repeat(5_000), ' '.repeat(5_000), '\ud83d',
];
const attributes = ['class="a b"', 'id=x', 'href="http://["', 'href=/a', 'colspan=9999', 'rowspan=-1', 'style="display:none"', 'hidden', 'a"b', '=', 'aria-hidden=true', 'lang="xx"', 'content="0"', 'src=x'];
const types = ['text/html', 'text/html; charset=utf-16', 'text/html; charset=windows-1252', 'text/plain', 'text/markdown', 'application/json', 'application/rss+xml', 'application/xhtml+xml', 'application/pdf', ''];

/** A generator of numbers below `n` (mulberry32). */
function createRandom(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** The page of a seed: at most `maxPieces` pieces, sometimes the same over and over, in any type, charset and coding. */
export function generatePage(seed: number, maxPieces: number): HostilePage {
  return {
    answer: (response) => {
      const { headers, body } = generateAnswer(seed, maxPieces);
      response.writeHead(200, headers).end(body);
    },
    ends: /^(read|timeout|parse_failed|unsupported_type)$/,
  };
}

function generateAnswer(seed: number, maxPieces: number) {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  const tag = () => {
    const own = Array.from({ length: random(4) }, () => pick(attributes)).join(' ');
    return pick([`<${pick(tags)} ${own}>`, `<${pick(tags)}>`, `</${pick(tags)}>`, `<${pick(tags)} ${own}/>`]);
  };
  const piece = () => (random(3) === 0 ? pick(texts) : tag());
  const parts: string[] = [];
  for (let left = 1 + random(maxPieces); left > 0; ) {
    const times = random(10) === 0 ? 1 + random(left) : 1;
    parts.push(Array.from({ length: 1 + random(3) }, piece).join('').repeat(times));
    left -= times;
  }
  const text = Buffer.from(parts.join('').slice(0, 4_000_000));
  const [coding, body] = pick([
    ['', text], ['', text], ['', text.subarray(0, random(text.length + 1))],
    ['gzip', gzipSync(text)], ['br', brotliCompressSync(text.subarray(0, 200_000))], ['deflate', deflateSync(text)],
  ] as const);
  const headers = { 'content-type': pick(types), ...(coding === '' ? {} : { 'content-encoding': coding }) };
  return { headers, body };
}
