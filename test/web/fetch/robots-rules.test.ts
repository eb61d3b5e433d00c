/**
 * What a robots.txt allows, by the rules and cases that Google publishes for its parser (github.com/google/robotstxt and
 * "How Google interprets the robots.txt specification"), and that a hostile file does not block the event loop.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxRobotsLength, parseRobots } from '../../../src/web/fetch/robots-rules.ts';

async function allowed(lines: readonly string[], path: string, agent = 'foobot'): Promise<boolean> {
  return (await parseRobots(lines.join('\n'), agent)).allows(path);
}

const group = (...rules: string[]) => ['user-agent: FooBot', ...rules];

/** Each row: what a file says, paths it allows, paths it forbids. */
const cases: readonly (readonly [title: string, lines: string[], allows: string[], forbids: string[]])[] = [
  ['allows everything when the file is empty', [], ['/', '/x'], []],
  ['reads names of lines in any case', ['USER-AGENT: FooBot', 'aLLow: /x/', 'DisAllow: /'], ['/x/y'], ['/a/b']],
  ['reads lines without a colon', ['user-agent FooBot', 'disallow /'], [], ['/x/y']],
  ['reads common misspellings', ['useragent: FooBot', 'dissallow: /a', 'disalow: /b'], ['/'], ['/a', '/b']],
  ['ignores lines that it does not know', ['foo: FooBot', 'bar: /'], ['/x/y'], []],
  ['ignores rules before the first agent', ['disallow: /', ...group('disallow: /x')], ['/y'], ['/x']],
  [
    'joins the groups of one agent',
    [...group('disallow: /', 'allow: /x/'), 'user-agent: BarBot', 'allow: /y/', '', ...group('allow: /z/')],
    ['/x/b', '/z/d'],
    ['/y/c'],
  ],
  ['shares rules between agents in a row', ['user-agent: BazBot', '', ...group('disallow: /z')], ['/y'], ['/z']],
  [
    'reads the name of an agent up to the first other character',
    ['user-agent: FOOBOT/2.1 (x)', 'disallow: /'],
    [],
    ['/x'],
  ],
  ['ignores the group of an agent whose name is longer', ['user-agent: FooBotNews', 'disallow: /'], ['/x'], []],
  [
    'prefers its own group to the group for all',
    ['user-agent: *', 'disallow: /x', ...group('disallow: /y')],
    ['/x'],
    ['/y'],
  ],
  ['prefers its own group even if that has no rules', ['user-agent: *', 'disallow: /', ...group()], ['/x'], []],
  ['uses the group for all if it has no group', ['user-agent: *', 'disallow: /x', 'user-agent: a'], ['/y'], ['/x']],
  ['matches paths by case', group('disallow: /X/'), ['/x/y'], ['/X/y']],
  ['lets the longest pattern win', group('disallow: /x/page.html', 'allow: /x/'), ['/x/'], ['/x/page.html']],
  ['lets an allow win a tie', group('disallow: /x', 'allow: /x'), ['/x'], []],
  ['counts wildcards in the length', group('allow: /page', 'disallow: /*.html'), ['/page'], ['/page.html']],
  ['ignores empty rules', group('disallow:', 'allow:'), ['/x'], []],
  [
    'keeps query strings as they are',
    group('disallow: /', 'allow: /a?q=t&b=http://c?d'),
    ['/a?q=t&b=http://c?d'],
    ['/a'],
  ],
  ['encodes non-ASCII characters', group('disallow: /', 'allow: /ツ'), ['/%E3%83%84', '/%e3%83%84'], ['/x']],
  ['does not decode characters that need no encoding', group('disallow: /', 'allow: /%62az'), ['/%62az'], ['/baz']],
  ['anchors "$" at the end', group('disallow: /bar$', 'allow: /bar/qux'), ['/bar/', '/bar/baz', '/bar/qux'], ['/bar']],
  ['reads "$" literally except at the end', group('disallow: /a$b'), ['/a'], ['/a$b', '/a$bc']],
  ['strips comments', group('# disallow: /', 'disallow: /quz#qux', 'allow: /'), ['/bar'], ['/quz']],
  [
    'allows a folder whose index is allowed',
    group('allow: /in/index.html', 'disallow: /'),
    ['/in/', '/in/index.html'],
    ['/in/index.htm', '/other'],
  ],
  [
    'matches "/fish" as a prefix',
    group('disallow: /', 'allow: /fish'),
    ['/fish', '/fish.html', '/fish/salmon.html', '/fishheads/y.html', '/fish.html?id=any'],
    ['/bar', '/Fish.asp', '/catfish', '/?id=fish'],
  ],
  ['matches "/fish*" as "/fish"', group('disallow: /', 'allow: /fish*'), ['/fish', '/fish.html'], ['/catfish']],
  [
    'does not match "/fish" by "/fish/"',
    group('disallow: /', 'allow: /fish/'),
    ['/fish/', '/fish/?a'],
    ['/fish', '/fish.html'],
  ],
  [
    'matches "/*.php" anywhere',
    group('disallow: /', 'allow: /*.php'),
    ['/f.php', '/d/f.php?p', '//d/any.php.file.html', '/f.php/', '/i?f=f.php/'],
    ['/php/', '/i?php', '/windows.PHP'],
  ],
  [
    'matches "/*.php$" at the end',
    group('disallow: /', 'allow: /*.php$'),
    ['/f.php', '/d/f.php'],
    ['/f.php?p', '/f.php/', '/f.php5', '/php/', '/aaaphpaaa'],
  ],
  [
    'matches "/fish*.php"',
    group('disallow: /', 'allow: /fish*.php'),
    ['/fish.php', '/fishheads/catfish.php?p'],
    ['/Fish.PHP'],
  ],
  ['allows the front page alone by "/$"', group('allow: /$', 'disallow: /'), ['/'], ['/page.html']],
  [
    'matches several wildcards in their order',
    group('disallow: /*a*b*c$'),
    ['/abcd', '/cba', '/acb'],
    ['/a1b2c', '/abcabc'],
  ],
  ['does not let pieces overlap', group('disallow: /*ab*ba$'), ['/aba', '/ab'], ['/abba', '/abxba']],
];

describe("a site's rules", () => {
  for (const [title, lines, allows, forbids] of cases) {
    it(title, async () => {
      for (const path of allows) expect([path, await allowed(lines, path)]).toEqual([path, true]);
      for (const path of forbids) expect([path, await allowed(lines, path)]).toEqual([path, false]);
    });
  }

  it('reads rules with every kind of line end, and with a byte order mark', async () => {
    const lines = ['User-Agent: foobot', 'Allow: /some/path', 'User-Agent: bar', '', '', 'Disallow: /'];
    for (const end of ['\n', '\r\n', '\r']) {
      const rules = await parseRobots(`\uFEFF${lines.join(end)}`, 'bar');
      expect([await rules.allows('/x'), await (await parseRobots(lines.join(end), 'foobot')).allows('/x')]).toEqual([
        false,
        true,
      ]);
    }
  });

  it('truncates a rule that is too long, and still applies it', async () => {
    const long = `/x/${'a'.repeat(20_000)}`;
    expect(await allowed(group(`disallow: ${long}/qux`), '/fux')).toBe(true);
    expect(await allowed(group('disallow: /', `allow: ${long}/qux`), '/')).toBe(false);
  });

  it('returns the crawl delay in seconds, 0 when there is none', async () => {
    const delay = async (...lines: string[]) => (await parseRobots(lines.join('\n'), 'foobot')).crawlDelay;
    expect(await delay(...group('crawl-delay: 1.5'))).toBe(1.5);
    expect(await delay('user-agent: *', 'Crawl-delay: 7')).toBe(7);
    expect(await delay('user-agent: *', 'crawl-delay: 7', ...group('disallow: /x'))).toBe(0);
    expect(await delay(...group('crawl-delay: soon'))).toBe(0);
    expect(await delay(...group('crawl-delay: -1'))).toBe(0);
  });

  it('matches patterns as a regular expression would', async () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/'), maxLength: 8 }).map((text) => `/${text}`);
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 }).map((text) => `/${text}`);
    await fc.assert(
      fc.asyncProperty(pattern, fc.boolean(), path, async (text, anchored, url) => {
        const expected = new RegExp(`^${text.split('*').join('.*')}${anchored ? '$' : ''}`).test(url);
        expect(await allowed(group(`disallow: ${text}${anchored ? '$' : ''}`), url)).toBe(!expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a hostile robots.txt', () => {
  const agents = 'User-agent: citewire\n';
  const rules = (count: number, pattern: string) =>
    agents + Array.from({ length: count }, (_, i) => `Disallow: ${pattern}${i}\n`).join('');
  const files: readonly (readonly [title: string, text: string])[] = [
    ['3,000 agents for one rule of 400 wildcards', `${agents.repeat(3_000)}Disallow: /${'*a'.repeat(400)}b`],
    ['40,000 rules with a wildcard', rules(40_000, '*b')],
    ['rules whose pieces nearly match', rules(1_000, `/*${'a'.repeat(250)}b${'a'.repeat(250)}`)],
    ['rules of a thousand wildcards each', rules(250, `/${'*a'.repeat(1_000)}b`)],
    ['nothing but agents', agents.repeat(maxRobotsLength / agents.length)],
    ['nothing but line ends', '\r'.repeat(10 * maxRobotsLength)],
    ['one endless line', `Disallow: ${'/*'.repeat(5 * maxRobotsLength)}`],
  ];

  for (const [title, text] of files) {
    // Before, each of these pages held the process for seconds: the test would not end in time.
    it(`checks twenty pages against a hostile robots.txt before the test times out: ${title}`, async () => {
      const parsed = await parseRobots(text, 'citewire');
      for (let i = 0; i < 20; i += 1) expect(await parsed.allows(`/${'a'.repeat(1_000)}${i}`)).toBe(true);
    });
  }

  it('lets other work continue while a large robots.txt is parsed', async () => {
    let turns = 0;
    const turn = setInterval(() => (turns += 1));
    await parseRobots(rules(40_000, '*b'), 'citewire');
    clearInterval(turn);
    expect(turns).toBeGreaterThan(0);
  });

  it('counts the memory of its rules once, however many agents they stand under', async () => {
    const size = async (text: string) => (await parseRobots(text, 'citewire')).size;
    const one = await size(`${agents}Disallow: /${'a'.repeat(100)}\n`);
    expect(one).toBeGreaterThan(100);
    expect(await size(`${agents.repeat(500)}Disallow: /${'a'.repeat(100)}\n`.repeat(2))).toBe(one);
    expect(await size(rules(1_000, '*b'))).toBeGreaterThan(100 * 1_000);
    expect(await size('User-agent: other\nDisallow: /x\n')).toBe(0);
  });
});
