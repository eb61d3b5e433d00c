/** A sentence of a page is always cited from it, also where small edits changed its marks: over sentences of many real and invented pages. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { learnedSplits, readClaims } from '../../../../bench/questions/claims.ts';
import { checkClaim, readSource } from '../../../../src/engine/writing/support/check-claim.ts';

const documents = ['README.md', 'bench/README.md', 'protocol/PROTOCOL.md', 'tools/training/NOTES.md'];
const pages = new Map<string, { title: string; text: string }>();
for (const split of learnedSplits) for (const { about } of readClaims(split)) pages.set(about.id, about);
for (const path of documents)
  pages.set(path, { title: path, text: readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8') });

/** Fewer words are a label or a heading. */
const minTokens = 5;
const limits =
  /\((?:[^()]*\W)?(?:only|except|unless|if|not|never|no|nor|without|with|until|nearly|almost|than|whether|instead|rather|unlike|apart|hardly)\W/i;

const edits: Readonly<Record<string, (sentence: string) => string>> = {
  'as it is': (sentence) => sentence,
  'without its full stop': (sentence) => sentence.replace(/[.!]$/, ''),
  'without parentheses': (sentence) => (limits.test(sentence) ? sentence : sentence.replace(/\s*\([^()]*\)/g, '')),
  'without the word that links it': (sentence) => sentence.replace(/^(?:However|But|And|So|Then),? /, ''),
  'with other quotation marks': (sentence) => sentence.replace(/"/g, '”').replace(/'/g, '’'),
  'without commas in thousands': (sentence) => sentence.replace(/(\d),(\d{3})\b/g, '$1$2'),
  'with "percent" for the sign': (sentence) => sentence.replace(/ ?%/g, ' percent'),
  'without emphasis and the targets of links': (sentence) =>
    sentence.replace(/`|\*\*/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
};

describe('a sentence of a page', () => {
  it.each(Object.keys(edits))('is cited %s', (name) => {
    const lost: string[] = [];
    let count = 0;
    for (const { text, title } of pages.values()) {
      const source = readSource(text, title, '');
      for (const { kind, start, end, tokens } of source.sentences) {
        const sentence = text.slice(start, end).replace(/\s+/g, ' ');
        const claim = edits[name]!(sentence);
        if (kind !== 'prose' || tokens.length < minTokens || (claim === sentence && name !== 'as it is')) continue;
        count += 1;
        if (!checkClaim(claim, source)?.isCitable) lost.push(claim);
      }
    }
    expect(count).toBeGreaterThan(5);
    expect(lost).toEqual([]);
  });
});

it('cites a sentence after a note of an editor', () => {
  const source = readSource(
    'It was not built in 1871 (nor in 1870).[d] While closed, the tower can be seen from the sea.[dubious – discuss] It has no lamp.',
    'Tower',
    '',
  );
  expect(checkClaim('While closed, the tower can be seen from the sea.', source)?.isCitable).toBe(true);
});

it('cites a sentence without a content word', () => {
  const source = readSource('— Are dogs allowed?\n— They may be.', 'Rules', '');
  expect(checkClaim('They may be.', source)?.isCitable).toBe(true);
  expect(checkClaim('It may not be.', source)?.isCitable ?? false).toBe(false);
});

describe('the row of a table', () => {
  const table = `| Name | Default | Meaning |
|---|---|---|
| \`PORT\` | \`8080\` | Port to listen on. Others are refused. |
| \`robots_denied\` | no | The site's robots.txt disallows reading this page. |
| Myth | | The tower was moved by night. |
| \`LAMP\` | \`on\` | The lamp is lit. This is not so on Sundays, when the keeper is away. |`;
  // A passage may begin in the middle of a long table, without its headings.
  const rest = table.split('\n').slice(2).join('\n');

  it.each([
    '`PORT` (default `8080`): Port to listen on.',
    '`PORT`: Port to listen on. Others are refused.',
    'Others are refused.',
    "`robots_denied`: The site's robots.txt disallows reading this page.",
    'Myth: The tower was moved by night.',
  ])('is cited as a sentence: %s', (claim) => {
    const texts = claim.includes('default') ? [table] : [table, rest];
    for (const text of texts) expect(checkClaim(claim, readSource(text, 'Settings', ''))?.isCitable).toBe(true);
  });

  it.each(['`PORT`: The lamp is lit.', 'Myth: Port to listen on.', '`LAMP` (default `8080`): The lamp is lit.'])(
    'is not cited for what another row says: %s',
    (claim) => {
      expect(checkClaim(claim, readSource(table, 'Settings', ''))?.verdict).not.toBe('supported');
    },
  );

  it('is not cited as a copy without the word that doubts it', () => {
    const source = readSource(table, 'Settings', '');
    expect(checkClaim('The tower was moved by night.', source)?.verdict).not.toBe('supported');
  });
});
