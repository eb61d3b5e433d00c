import { afterAll, describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/engine/ports/snapshot.ts';
import { isDocumentation } from '../../../src/model/extractive/documentation/documentation-features.ts';
import { inNamedFolders } from '../../../src/model/extractive/documentation/named-folder.ts';
import { analyse } from '../../../src/model/extractive/question/analyse.ts';
import { createAsker, pageAt } from '../../support/models/ask-extractive.ts';

const { ask, close } = createAsker();
afterAll(close);

function page(n: number, title: string, text: string): Evidence {
  return pageAt(`https://manual.example/${n}.html`, n, title, text);
}

/** Enough pages with code to be documentation. */
const others = ['open', 'seal', 'weigh', 'stamp', 'sort', 'load'].map((name, at) =>
  page(
    10 + at,
    `depot-${name}(1)`,
    `## NAME\n\ndepot-${name} - Handle parcels\n\n## SYNOPSIS\n\n\`\`\`\ndepot ${name} [--all]\n\`\`\``,
  ),
);

describe('a folder of a page that shows code', () => {
  const readme = {
    ...page(
      1,
      'quayside',
      '# quayside\n\nTells harbours about ships, in one `message` a minute.\n\n## Sending to all ships\n\nA message can be sent to all ships, including the own one.\n\n```js\nquayside.ships.forEach((ship) => ship.send(text));\n```\n\n## Limits\n\nA ship receives no message above 4 KB.',
    ),
    corpusSize: 'small' as const,
  };

  it('shows the code of how something is done', async () => {
    const answer = await ask('How do I send a message to all ships with quayside?', [readme]);
    expect(answer).toContain('quayside.ships.forEach');
    expect(answer).toContain('sent to all ships');
  });

  it('says without code what is not asked how', async () => {
    expect(await ask('Which message does a ship not receive?', [readme])).toBe(
      'A ship receives no message above 4 KB. [1]',
    );
  });
});

describe('pages whose code is quoted', () => {
  const pages = ['Reading', 'Writing', 'Locking', 'Weighing'].map((name, at) =>
    page(
      at + 1,
      `${name} of crates`,
      `## 8.${at}. ${name} a crate\n\n${name} a crate needs the mode "crate" and then a request:\n\n> > \`\`\`\n> > crate .${name.toLowerCase()} --all\n> > \`\`\`\n\n${'Further remarks on it are of no use to anybody. '.repeat(3)}`,
    ),
  );

  it('are documentation, whose code is shown', async () => {
    expect(isDocumentation(pages)).toBe(true);
    expect(await ask('How do I write a crate?', pages)).toContain('crate .writing --all');
  });

  it('are quoted without the number of a heading', async () => {
    expect(await ask('How do I lock a crate?', pages)).not.toContain('8.2');
  });
});

describe('the description of an option', () => {
  const entries = [
    ['-a file', 'True if the crate is open.'],
    ['-d file', 'True if the crate is a drawer.'],
  ].map(([name, text]) => `**${name}**\n\n${text}`);
  const pages = [
    page(1, 'Crate tests', `# Crate tests\n\nA test returns a status.\n\n${entries.join('\n\n')}`),
    ...['Tides', 'Winds', 'Ropes'].map((name, at) => page(at + 2, name, `# ${name}\n\n${name} are not for sale here.`)),
  ];

  it('is quoted with the name that is its label', async () => {
    expect(await ask('Which test is true for a crate that is a drawer?', pages)).toBe(
      '-d file: True if the crate is a drawer. [1]',
    );
  });
});

describe('the entry of an option that is cut in two', () => {
  const rest = page(
    1,
    'depot',
    'If a crate is inspected while -e is being ignored, -e has no effect on it, and -e is not inherited.',
  );
  const beginning = page(2, 'depot', '**-e**\n\nStop at once if a crate is broken, which a seal tells.');
  const pages = [
    { ...rest, headings: 'The set command › -e' },
    { ...beginning, headings: 'The set command' },
    ...others,
  ];

  it('is quoted from its beginning', async () => {
    expect(await ask('What does -e do?', pages)).toMatch(/^-e: Stop at once if a crate is broken/);
  });
});

describe('questions and answers that are numbered paragraphs', () => {
  const text =
    '# Frequently asked questions\n\n(12) Why is the crate still large?\n\n> Nothing shrinks by itself.\n\n(13) May I use the crate in a shop without paying?\n\n> Yes. It belongs to everybody.';

  it('are answered by what is below the question', async () => {
    const faq = page(1, 'Questions', text);
    const answer = await ask('May I use the crate in a shop?', [faq, ...others]);
    expect(answer).toContain('It belongs to everybody. [1]');
    expect(answer).not.toContain('(13)');
  });
});

describe('the folders of two products in one index', () => {
  const folders = [
    ['one/backup.md', 'Backup'],
    ['two/README.md', 'Stowe'],
    ['two/data.md', 'Data'],
    ['one/README.md', 'Larkspur'],
  ].map(([file, title = ''], at) => ({ ...page(at + 1, title, `# ${title}`), url: `file:///products/${file}` }));
  const numbers = (question: string) => inNamedFolders(analyse(question), folders).map(({ n }) => n);

  it('are asked alone where a question names the product', () => {
    expect(numbers('How do I restore a backup with stowe?')).toEqual([2, 3]);
    expect(numbers('Can Larkspur be backed up?')).toEqual([1, 4]);
  });

  it('are both asked where it names none or both', () => {
    expect(numbers('How do I restore a backup of my data?')).toEqual([1, 2, 3, 4]);
    expect(numbers('Does Stowe back up Larkspur?')).toEqual([1, 2, 3, 4]);
  });
});

describe('a manual of several pages', () => {
  it('tells two commands apart by what each of them does, if no sentence names both', async () => {
    const pull = page(
      1,
      'depot-pull(1)',
      '## NAME\n\ndepot-pull - Take parcels from another depot and sort them in\n\n## SYNOPSIS\n\n```\ndepot pull [--all]\n```',
    );
    const fetch = page(
      2,
      'depot-fetch(1)',
      '## NAME\n\ndepot-fetch - Take parcels from another depot\n\n## SYNOPSIS\n\n```\ndepot fetch\n```',
    );
    const answer = await ask('What is the difference between depot fetch and depot pull?', [pull, fetch, ...others]);
    expect(answer).toBe(
      'depot-fetch - Take parcels from another depot. [2]\n\ndepot-pull - Take parcels from another depot and sort them in. [1]',
    );
  });

  it('quotes no question, which a list of contents has of what is answered elsewhere', async () => {
    const contents = page(
      1,
      'Questions',
      '- (13) Can I seal a parcel with `wax` and string without paying a fee?\n- (14) Can I weigh it?',
    );
    const terms = page(2, 'Licence', 'Nobody pays a fee to seal a parcel, whether with `wax` or with string.');
    const answer = await ask('Do I have to pay a fee to seal a parcel with wax and string?', [
      contents,
      terms,
      ...others,
    ]);
    expect(answer).toContain('Nobody pays a fee');
    expect(answer).not.toContain('(13)');
  });

  it('says what a command does with the first sentence of its page, not with a link to it', async () => {
    const index = page(1, 'Commands', 'COMPACT - compact.html\n\n- COMPACT - compact.html\n- `WEIGH` - weigh.html');
    const command = page(
      2,
      'COMPACT',
      '# 1. Syntax\n\ncompact-command:\n\n# 2. Description\n\nThe COMPACT command puts the parcels of a `depot` closer together. It takes a while.',
    );
    expect(await ask('What does COMPACT do?', [index, command, ...others])).toBe(
      'The COMPACT command puts the parcels of a `depot` closer together. [2]',
    );
  });
});
