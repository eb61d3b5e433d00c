/** What between two rules is front matter, and what is text. */
import { describe, expect, it } from 'vitest';
import { frontMatterEnd } from '../../protocol/front-matter.ts';
import { extractMarkdown } from '../../src/web/extract/extract-plain.ts';

const minutes = `Meeting of 3 May\n\n${'The board heard the keeper of the lock and thanked her.\n'.repeat(160)}`;

describe('front matter', () => {
  it.each([
    'title: Rye',
    'title: Rye\ntags:\n- bread\n- rye\ndraft: true',
    'title: >\n  Rye and\n\n  spelt\nauthor:\n  name: Ann # the baker',
    '# Set by the editor\n\ntitle: Rye\n\n# Not shown\ndraft: true',
    'título: Centeno\n日期: 2024-05-03',
    '"title": Rye\n\'og:image\': rye.png\nog:type: article',
    'tags: [\n  bread,\n]\nDate created: 2024-05-03',
    'aliases:\n  - rye\ncssclass:',
    '',
  ])('is what YAML means by settings: %j', (settings) => {
    const block = `---\n${settings}\n---`;
    expect(frontMatterEnd(`${block}\nWords.\n\n---\n\nMore.`)).toBe(block.length + 1);
    expect(frontMatterEnd(block)).toBe(block.length);
  });

  it.each([
    'Meeting of 3 May\nThe lock is closed.',
    '\nMeeting of 3 May',
    'The board has decided: we build.',
    '# Minutes\n\nThe lock is closed.',
    '# Minutes',
    '# Minutes\n\n- The lock\n- The quay',
    '- The lock: closed\n- The quay: open',
    'Date: 3 May\n\nThe lock is closed.',
    'Date: 3 May\n- The lock\n- The quay',
    'Ann: Is it closed?\nBen: Yes.\nAnn: Why?',
    '10:30 Opening\n11:00 The lock',
    'https://example.org/',
    '| Lock | Quay |\n| --- | --- |',
    '    code: one\n    more: two',
    '> Note: closed',
    '会议记录：五月三日',
  ])('is not a text between two rules: %j', (text) => {
    expect(frontMatterEnd(`---\n${text}\n---\nWords.`)).toBe(0);
    expect(frontMatterEnd(`---\n${text}\n---`)).toBe(0);
  });

  it('is not a long text that begins with one, nor one that does not end', () => {
    const long = `title: Rye\nlog: ${'x'.repeat(20_000)}`;
    expect(frontMatterEnd(`---\n${long}\n---\nWords.`)).toBe(0);
    expect(frontMatterEnd(`---\n${long}\n---`)).toBe(0);
    expect(frontMatterEnd('---\ntitle: Rye\n\nWords.')).toBe(0);
  });

  it('leaves the minutes in a page', () => {
    expect(extractMarkdown(`---\n${minutes}\n---\n\nSigned by the chair.\n`).text).toContain('thanked her');
    expect(extractMarkdown(`---\n${minutes}---`).text).toContain('Meeting of 3 May');
    expect(extractMarkdown('---\ntitle: Rye\n---\nWords.')).toMatchObject({ title: 'Rye', text: 'Words.' });
  });
});

describe('the title of a text of Markdown', () => {
  it.each([
    ['```\n# comment\n```\n# Bread', 'Bread'],
    ['``` a`b\n# Bread', 'Bread'],
    ['~~~\n# comment\n```\n~~~\n# Bread', 'Bread'],
    ['```\nx\n```\n===\n# Bread', 'Bread'],
    ['Rye\n===', 'Rye'],
  ])('is its first heading outside code: %j', (text, title) => {
    expect(extractMarkdown(text).title).toBe(title);
  });
});
