import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords, splitPassages } from '../../src/corpus/index/split-passages.ts';

const words = (count: number, word = 'lorem') => Array.from({ length: count }, (_, n) => `${word}${n}`).join(' ');

const block = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.stringMatching(/^#{1,6} [a-z ]{1,20}$/),
  fc.integer({ min: 1, max: 700 }).map((count) => words(count)),
  fc.integer({ min: 1, max: 90 }).map((count) => `\`\`\`js\n${'call(one, two);\n'.repeat(count)}\`\`\``),
  fc.integer({ min: 1, max: 60 }).map((count) => '- an item of a list\n'.repeat(count)),
  fc.integer({ min: 1, max: 60 }).map((count) => `| a | b |\n|---|---|\n${'| one cell | another |\n'.repeat(count)}`),
  fc.constantFrom(
    'Title\n=====',
    '```',
    '~~~~',
    '---\ntitle: x\n---',
    '日本語の文章です。'.repeat(80),
    '🧪'.repeat(900),
  ),
);
const page = fc.array(block, { maxLength: 12 }).map((blocks) => blocks.join('\n\n').toWellFormed());

describe('splitPassages', () => {
  it('returns well-formed passages in order that are exact slices, and leaves out nothing except white space', () => {
    fc.assert(
      fc.property(page, (text) => {
        const spans = splitPassages(text);
        let end = 0;
        for (const span of spans) {
          expect(span.start).toBeGreaterThanOrEqual(end);
          expect(span.end).toBeGreaterThan(span.start);
          if (end > 0) expect(text.slice(end, span.start).trim()).toBe('');
          const passage = text.slice(span.start, span.end);
          expect(passage.isWellFormed()).toBe(true);
          expect(passage.trim()).toBe(passage);
          expect(countWords(text, span.start, span.end)).toBeLessThanOrEqual(350);
          end = span.end;
        }
        if (spans.length > 0) expect(text.slice(end).trim()).toBe('');
      }),
      { numRuns: 300 },
    );
  });

  it('keeps a short page in one passage, whatever its headings', () => {
    const text = `# Client\n\n${words(40)}\n\n## Options\n\n${words(50)}\n\n# Pool\n\n${words(60)}\n`;
    expect(splitPassages(text)).toEqual([{ start: 0, end: text.length - 1, headings: '' }]);
  });

  it('begins a passage at each section that can stand alone and names the headings above it', () => {
    const text = `# Client\n\n${words(150)}\n\n## Options\n\n${words(120)}\n\n## Events\n\n${words(100)}`;
    const spans = splitPassages(text);
    expect(spans.map((span) => span.headings)).toEqual(['Client', 'Client › Options', 'Client › Events']);
    expect(text.slice(spans[1]?.start, spans[1]?.end)).toMatch(/^## Options/);
  });

  it('names the columns of a table above the rows that are in later passages, and above nothing else', () => {
    const rows = Array.from({ length: 80 }, (_, n) => `| Member ${n} | Kiel | since ${1940 + n} |`).join('\n');
    const text = `# Crew\n\n| Name | [City](a.md) | Joined |\n| --- | :-: | --- |\n${rows}\n\n${words(30)}\n\n## Boats\n\n${words(230)}`;
    const spans = splitPassages(text);
    expect(spans.length).toBeGreaterThan(3);
    expect(spans.map(({ headings }) => headings)).toEqual([
      'Crew',
      ...Array(spans.length - 2).fill('Crew › | Name | City | Joined |'),
      'Crew › Boats',
    ]);
  });

  it('names no columns that are longer than a few hundred characters', () => {
    const head = `| ${words(90)} | b |\n|---|---|\n`;
    expect(splitPassages(head + '| one | two |\n'.repeat(400)).every(({ headings }) => headings === '')).toBe(true);
  });

  it('joins sections too short to stand alone', () => {
    const sections = Array.from({ length: 40 }, (_, n) => `### option${n}\n\n${words(15)}`).join('\n\n');
    const sizes = splitPassages(`# Options\n\n${sections}`).map(({ start, end }) => end - start);
    expect(sizes.length).toBeLessThan(16);
    expect(Math.min(...sizes)).toBeGreaterThan(200);
  });

  it('never cuts inside a code fence that fits into a passage, nor reads its lines as headings', () => {
    const fence = `\`\`\`sh\n# not a heading\n${'run this now\n'.repeat(40)}\`\`\``;
    const text = `# A\n\n${words(200)}\n\n${fence}\n\n${words(200)}`;
    const spans = splitPassages(text);
    const at = text.indexOf(fence);
    expect(spans.some(({ start, end }) => start <= at && end >= at + fence.length)).toBe(true);
    expect(spans.every(({ headings }) => headings === 'A')).toBe(true);
  });

  it('gives each long entry of a manual a passage under its label, and joins labels of one entry', () => {
    const entry = (label: string) => `${label}\n\n${words(120, 'Sets')}.`;
    const text = `# Memory\n\n${words(150)}\n\n${[entry('`work_mem` (`integer`)'), entry('-S\n\n--sign[=\\<key>]'), entry('**bare repository**')].join('\n\n')}`;
    expect(splitPassages(text).map(({ headings }) => headings)).toEqual([
      'Memory',
      'Memory › work_mem (integer)',
      'Memory › -S, --sign[=<key>]',
      'Memory › bare repository',
    ]);
  });

  it('joins short entries, as what they share is above them', () => {
    const text = `# Memory\n\n\`work_mem\`\n\nSets one.\n\n\`wal_level\`\n\nSets another.\n\n${words(300)}`;
    expect(splitPassages(text)[0]).toMatchObject({ start: 0, headings: 'Memory' });
  });

  it('cuts a huge fence at line ends', () => {
    const text = `\`\`\`\n${'const value = compute(one, two, three);\n'.repeat(500)}\`\`\``;
    const spans = splitPassages(text);
    expect(spans.length).toBeGreaterThan(5);
    for (const { end } of spans.slice(0, -1)) expect(text.charAt(end)).toBe('\n');
  });

  it.each([
    ['a line of one megabyte', 'x'.repeat(1_000_000)],
    ['a megabyte of words', words(120_000)],
    ['a megabyte of Chinese', '漢字'.repeat(500_000)],
    ['a megabyte of brackets', '[('.repeat(500_000)],
    ['a megabyte of fences', '```\n'.repeat(250_000)],
    ['a megabyte of headings', '# a\n'.repeat(250_000)],
  ])('splits %s into passages of bounded size', (_, text) => {
    const spans = splitPassages(text);
    expect(spans.length).toBeGreaterThan(100);
    expect(Math.max(...spans.map(({ start, end }) => end - start))).toBeLessThan(4500);
  });
});
