import { afterAll, describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/engine/ports/snapshot.ts';
import { writePieces } from '../../src/model/extractive/answer/write-pieces.ts';
import { createAsker, pageAt } from '../support/models/ask-extractive.ts';

const { ask, close } = createAsker();
afterAll(close);

function page(n: number, title: string, text: string): Evidence {
  return pageAt(`https://cdn.jsdelivr.net/npm/parcelq@1.0.0/${n}.md`, n, title, text);
}

const pages = [
  page(
    1,
    'parcelq',
    '`parcelq` is used by thousands of developers every day. `npm install parcelq` installs it. Call `queue.pause()` to pause the queue without losing its jobs. A paused queue takes jobs and starts none.',
  ),
  page(
    2,
    'parcelq › Upgrading',
    'Upgrading `parcelq` can break an application. Please report a bug of `parcelq` on its tracker.',
  ),
  page(3, 'streamkit', 'Use `stream.pause()` to pause a queue of chunks. `streamkit` is a library of streams.'),
];

describe('an answer from documentation', () => {
  it('quotes only the sections that the question is about', async () => {
    const text = await ask('How do I pause a queue in parcelq?', pages);
    expect(text).toContain('Call `queue.pause()` to pause the queue');
    expect(text).toContain('A paused queue takes jobs');
    expect(text).not.toMatch(/thousands|npm install|Upgrading|report a bug/);
  });

  it('quotes only the package that the question names', async () => {
    expect(await ask('How do I pause a queue in parcelq?', pages)).not.toContain('stream.pause()');
    expect(await ask('How do I pause a queue of chunks?', pages)).toContain('stream.pause()');
  });

  it('quotes the entry of the option that is asked for alone, once', async () => {
    const options = `## Options

- drainTimeout \`number\` (optional) - Default: \`4e3\` - The time, in milliseconds, after which a drained queue is closed.
- drainTimeoutThreshold \`number\` (optional) - Default: \`2e3\` - The time, in milliseconds, taken from the timeout of a drained queue.
- depth \`number\` (optional) - The most jobs in a queue.`;
    const example =
      'Pass it to a queue:\n\n```js\nconst queue = new Queue({ drainTimeout: 10, drainTimeoutThreshold: 10 });\n```';
    const text = await ask('What is the default of drainTimeout in parcelq?', [
      page(1, 'parcelq › Queue', options),
      page(2, 'parcelq › Client', options),
      page(3, 'parcelq › Guide', example),
    ]);
    expect(text).toMatch(/^drainTimeout .*`4e3`.*\[\d\]$/);
    expect(text).not.toMatch(/Threshold|new Queue/);
  });

  it('does not take code that asks the question for its answer', async () => {
    const code = (question: string) =>
      page(
        9,
        'parcelq',
        `# parcelq\n\nAsk a model:\n\n\`\`\`js\nconst { answer } = await queue.answer("${question}");\n\`\`\``,
      );
    expect(await ask('What is the capital of France?', [code('What is the capital of France?')])).toBe('');
    expect(await ask('Why is the sky blue?', [code('Why is the sky blue?')])).toBe('');
    expect(await ask('How do I ask a model in parcelq?', [code('Why is the sky blue?')])).toContain('queue.answer');
  });

  it('answers nothing if the documentation has only the name of the package in common with the question', async () => {
    expect(await ask('Which licence does parcelq have?', pages)).toBe('');
  });

  it('adds no heading or link of few words', async () => {
    const text = await ask('How do I pause a queue in parcelq?', [
      pages[0]!,
      page(2, 'parcelq › Contents', '- Pause a queue\n- Queue pause'),
    ]);
    expect(text).toContain('Call `queue.pause()` to pause the queue');
    expect(text).not.toMatch(/Pause a queue|Queue pause/);
  });

  it('answers what a package is', async () => {
    expect(await ask('What is streamkit?', pages)).toContain('`streamkit` is a library of streams');
  });

  it('answers what something is with the sentence, row or item that defines it', async () => {
    const glossary = page(
      1,
      'parcelq › Glossary',
      '| term | meaning |\n|---|---|\n| **depot** | Where jobs wait until a worker takes them. |\n| depots | Use a `depot` for each kind of job, and a depot for the rest. |',
    );
    const guide = page(
      2,
      'parcelq › Depots',
      'A depot of `parcelq` can be paused. Every depot has a name. A *depot* is a list of jobs in memory.\n\n- **courier**: takes a job from its depot to a `worker`.',
    );
    const about = page(
      3,
      'parcelq',
      '# parcelq\n\nSends jobs to `workers` without losing any.\n\n`npm install parcelq` installs parcelq.',
    );
    const all = [glossary, guide, about];
    expect(await ask('What is a depot?', all)).toBe('A depot is a list of jobs in memory. [2]');
    expect(await ask('What is a depot?', [glossary, about])).toBe(
      'depot: Where jobs wait until a worker takes them. [1]',
    );
    expect(await ask('What is a depot in parcelq?', all)).toBe('A depot is a list of jobs in memory. [2]');
    expect(await ask('What does courier mean?', all)).toMatch(/^courier: takes a job from its depot/);
    expect(await ask('What is parcelq?', all)).toMatch(/^Sends jobs to `workers` without losing any\. \[3\]$/);
  });

  it('answers a question that is a heading with what is below it, and no more', async () => {
    const below = '`parcelq keys create` makes a key. It is shown once. See [Keys](keys.md).';
    const faq = page(
      2,
      'parcelq › Questions',
      `## I lost my key. How do I get a new key?\n\nMake a new key.\n\n## How do I make a key?\n\n${below}\n\nKeys are \`secret\`.\n\n## How do I run it?\n\nRun this:\n\n\`\`\`sh\nparcelq start\n\`\`\`\n\nThen wait.`,
    );
    const other = page(
      1,
      'streamkit',
      'Make a `key` with `makeKey()`. A key makes streams of keys.\n\n```js\nmakeKey();\n```',
    );
    expect(await ask('How do I make a key?', [other, faq])).toBe(
      '`parcelq keys create` makes a key. It is shown once. See Keys. [2]',
    );
    expect(await ask('How do I run it in parcelq?', [other, faq])).not.toBe('');
    expect(await ask('how do I run it', [other, faq])).not.toContain('Then wait');
  });

  it('takes a heading that asks the same in synonyms, or whether instead of how, but no other', async () => {
    const faq = page(
      1,
      'parcelq › Questions',
      '## How do I remove a `depot`?\n\nRun `parcelq drop`.\n\n## How do I make a depot?\n\nRun `parcelq make`.\n\n## Can I pause a courier?\n\nYes: run `parcelq pause`.',
    );
    expect(await ask('How do I delete a depot?', [faq])).toBe('Run `parcelq drop`. [1]');
    expect(await ask('How do I create a depot in parcelq?', [faq])).toBe('Run `parcelq make`. [1]');
    expect(await ask('How do I pause a courier?', [faq])).toBe('Yes: run `parcelq pause`. [1]');
    expect(await ask('How do I pause a working courier?', [faq])).toBe('Yes: run `parcelq pause`. [1]');
    expect(await ask('How do I rename a depot?', [faq])).not.toMatch(/^Run `parcelq \w+`\. \[1\]$/);
  });

  it('takes a heading that is a question before the entry of a reference', async () => {
    const faq = page(
      1,
      'parcelq › Questions',
      '## How do I stop or pause a `courier`?\n\nPress Esc, or run `parcelq pause`.',
    );
    const reference = page(
      2,
      'parcelq › Reference',
      '## `courier.pause`\n\nPauses it, from any connection of the `account`.',
    );
    expect(await ask('How do I pause a courier?', [reference, faq])).toBe('Press Esc, or run `parcelq pause`. [1]');
  });

  it('overlooks what only one of question and heading says besides what is asked', async () => {
    const faq = page(
      1,
      'parcelq › Questions',
      '## Can parcelq read images?\n\nYes, since `2.0`.\n\n## Can parcelq send mail?\n\nNo: `no`.',
    );
    expect(await ask('Does parcelq support images?', [faq])).toBe('Yes, since `2.0`. [1]');
  });

  it('adds no row of a reference that was not asked for', async () => {
    const reference = page(
      2,
      'parcelq › Reference',
      '| field | type | meaning |\n|---|---|---|\n| `pause_queue` | string | why a queue was paused by `pause` |\n| `jobs` | number | of a paused queue |',
    );
    expect(await ask('How do I pause a queue without losing its jobs?', [pages[0]!, reference])).not.toContain('|');
  });

  it('takes a heading that asks for one of several things', async () => {
    const text =
      '## Does parcelq run on Plan9, Haiku or Windows?\n\nYes, but `slowly`.\n\n## Poems\n\nparcelq can run `haiku` poems on demand.';
    const faq = page(1, 'parcelq › Questions', text);
    expect(await ask('Does parcelq run on Haiku?', [faq])).toBe('Yes, but `slowly`. [1]');
    expect(await ask('Does parcelq run on Solaris?', [faq])).not.toContain('slowly');
  });

  it('takes either question of a heading that asks two', async () => {
    const text =
      '## Couriers\n\nA courier waits, because it `must`.\n\n## What is a depot, and why does a courier wait?\n\nA list of jobs; it is `empty`.';
    const faq = page(1, 'parcelq › Questions', text);
    expect(await ask('Why does a courier wait?', [faq])).toBe('A list of jobs; it is `empty`. [1]');
    expect(await ask('Why does a courier sleep?', [faq])).not.toContain('empty');
  });

  it('takes a heading whose words are all asked for, with one more in the question, in the singular as in the plural', async () => {
    const text =
      '## What happens when a courier sleeps?\n\nIts `jobs` wait.\n\n## What are the delivery limits?\n\nTen a `minute`.';
    const faq = page(1, 'parcelq › Questions', text);
    expect(await ask('What happens when a courier sleeps in a depot?', [faq])).toBe('Its `jobs` wait. [1]');
    expect(await ask('What is the delivery limit?', [faq])).toBe('Ten a `minute`. [1]');
  });

  const own = (n: number, title: string, text: string): Evidence => {
    const url = `https://cdn.jsdelivr.net/npm/citewire@1.0.0/docs/${n}.md`;
    return { ...page(n, title, text), url, snapshot: url };
  };
  const ownFaq = own(
    4,
    'citewire › Questions',
    '## How do I pause the `server`?\n\nSend it SIGSTOP. A paused server takes no calls.',
  );

  it('asks the pages about this server first, unless the question names another package', async () => {
    expect(await ask('How do I pause the server?', [...pages, ownFaq])).toBe(
      'Send it SIGSTOP. A paused server takes no calls. [4]',
    );
    expect(await ask('How do I pause a queue in parcelq?', [...pages, ownFaq])).toContain('queue.pause()');
  });

  it('says nothing of other packages when "it" is this server', async () => {
    expect(await ask('How do I pause its queue of chunks?', [...pages, ownFaq])).not.toContain('stream.pause()');
    expect(await ask('How do I pause a queue of chunks?', [...pages, ownFaq])).toContain('stream.pause()');
  });

  it('is about this server if the question asks whether it can do something, whatever else is named', async () => {
    const faq = own(4, 'citewire › Questions', '## Is there a parcelq-compatible API?\n\nYes, `/v1/parcels`.');
    expect(await ask('Does it have a parcelq-compatible API?', [...pages, faq])).toBe('Yes, `/v1/parcels`. [4]');
  });

  it('is about this server if the question names it, whatever else is named', async () => {
    const faq = own(4, 'citewire › Questions', '## How do I use parcelq?\n\nName it in `PARCELS`.');
    expect(await ask('How do I use parcelq with Citewire?', [...pages, faq])).toBe('Name it in `PARCELS`. [4]');
  });

  it('answers how with no entry of a reference, why with no row, and what with no "Yes"', async () => {
    const text = [
      '## `courier.lost`\n\nSent when the courier of a parcel is lost.',
      '## Lost parcels\n\nA lost courier is found again with `parcelq find`. A parcel stays late while its courier is away.',
      '## Can I limit what a courier costs?\n\nYes: `max_cost` limits what a courier costs.',
      '## Fees\n\nEach call costs two coins, and a courier costs as many as a call.',
      '| field | meaning |\n|---|---|\n| `late` | why a parcel is late |',
    ];
    const reference = own(4, 'citewire › Couriers', text.join('\n\n'));
    expect(await ask('How do I find a lost courier again?', [reference])).toMatch(/^A lost courier is found again/);
    expect(await ask('Why is my parcel late?', [reference])).not.toContain('|');
    expect(await ask('What does a courier cost?', [reference])).not.toMatch(/^Yes/);
  });

  const api = page(
    1,
    'parcelq › Queue',
    [
      '## `queue.drain(timeout)`',
      'Waits until every job of the queue has ended, and rejects after `timeout` milliseconds.',
      '## Retries',
      'To retry jobs that failed, give the queue a `retries` option:',
      "```js\nconst queue = createQueue({ retries: 3 });\nqueue.add('resize', picture);\n```",
      'Jobs that fail for good land in `queue.failed`.',
      '## Plumbing',
      `\`\`\`js\n${'queue.plumb(1, 2, 3, 4, 5);\n'.repeat(40)}\`\`\``,
    ].join('\n\n'),
  );

  it('names the method whose section it quotes', async () => {
    const text = await ask('How do I wait until a queue of parcelq has ended its jobs?', [api]);
    expect(text).toMatch(/`queue\.drain\(timeout\)`: Waits until every job of the queue has ended.* \[1\]/);
  });

  it('shows code after the sentence that introduces it', async () => {
    const text = await ask('How do I retry failed jobs in parcelq?', [api]);
    expect(text).toMatch(/give the queue a `retries` option:\n\n```js\nconst queue = createQueue\(\{ retries: 3/);
  });

  it('quotes neighbouring sentences in their order, with one marker', async () => {
    const upgrade = page(
      3,
      'parcelq › Upgrading',
      '## Upgrading `parcelq`\n\nTake a backup of the depots. Then run `parcelq upgrade` to upgrade the depots. Nothing else is needed.\n\n## Downgrading\n\nThere is none.',
    );
    expect(await ask('How do I upgrade the depots of parcelq?', [upgrade])).toMatch(
      /Take a backup of the depots\. Then run `parcelq upgrade` to upgrade the depots\. \[3\]/,
    );
  });

  it('brings the list that a sentence announces', async () => {
    const files = page(
      4,
      'parcelq › Files',
      '## Files\n\nThese files are always in a `parcel`:\n\n- `parcel.json`\n- `README`\n- `LICENSE`\n\nAnything else is left out.',
    );
    expect(await ask('Which files are always in a parcel of parcelq?', [files])).toMatch(
      /These files are always in a `parcel`:\n\n- `parcel\.json`\n- `README`\n- `LICENSE` \[4\]/,
    );
  });

  it('quotes what stands in different places as paragraphs of their own', async () => {
    const pauses = page(5, 'parcelq › Pauses', 'Give the `hold` option to pause a queue of `parcelq` from its start.');
    expect(await ask('How do I pause a queue in parcelq?', [pages[0]!, pauses])).toMatch(
      /starts none\. \[1\]\n\nGive the `hold` option to pause a queue of `parcelq` from its start\. \[5\]$/,
    );
  });

  it('answers a question in another language from the words that both have', async () => {
    expect(await ask('Wie kann ich eine queue mit parcelq pause?', pages)).toContain('`queue.pause()`');
  });

  it('leaves out code that is too long for an answer', async () => {
    expect(await ask('How do I plumb a queue in parcelq?', [api])).not.toContain('plumb(');
  });

  describe('asked for a name or a message', () => {
    const table = `| Setting | Default | Meaning |
|---|---|---|
| \`PARCELQ_PORT\` | \`7070\` | Port to listen on. |
| \`PARCELQ_HOST\` | | Address to listen on. |`;
    const codes = `| \`too_many_jobs\` | 429 | The queue takes no further jobs. |
| \`queue_gone\` | 410 | The queue was removed. |`;
    const reference = [
      ...pages,
      page(4, 'parcelq › Settings', `Set \`PARCELQ_PORT\` in production.\n\n${table}`),
      page(5, 'parcelq › Errors', codes),
    ];

    it('makes a sentence of the row of a setting', async () => {
      expect(await ask('PARCELQ_PORT', reference)).toBe('`PARCELQ_PORT` (default `7070`): Port to listen on. [4]');
      expect(await ask('what does PARCELQ_HOST mean?', reference)).toBe('`PARCELQ_HOST`: Address to listen on. [4]');
    });

    it('explains an error by its code or its message, in a table whose headings are on another page', async () => {
      const gone = '`queue_gone`: The queue was removed. [5]';
      expect(await ask('{"code": "queue_gone"}', reference)).toBe(gone);
      expect(await ask('error: The queue was removed', reference)).not.toBe('');
      expect(await ask('The queue was removed', reference)).toBe(gone);
    });

    it('keeps the columns of a table whose first heading is empty', () => {
      const row = {
        kind: 'row',
        text: 'a small queue | 5 KiB | 2 MB',
        header: '| memory | disk',
        bullet: '',
        block: 1,
      } as const;
      const table = '| | memory | disk |\n|---|---|---|\n| a small queue | 5 KiB | 2 MB [4] |';
      const source = { n: 4, snapshot: 's', url: 'u', title: '', headings: '', text: '', start: 0, score: 1 };
      expect(writePieces([{ source, units: [row] }])).toEqual([table]);
    });

    it('leaves a question about something else that names it to the ranking', async () => {
      expect(await ask('Why is PARCELQ_PORT ignored by the inspector?', reference)).not.toContain('(default `7070`)');
    });
  });

  describe('asked of a manual', () => {
    const settings = page(
      1,
      '20.4. Resource Consumption',
      `## 20.4.1. Memory

\`hash_mem_multiplier\` (\`floating point\`)

Multiplies \`work_mem\` for queries that build a hash table. The default is 2.0.

\`work_mem\` (\`integer\`)

Sets how much memory a query may use before it writes temporary files. The default value is four megabytes.

## 20.4.2. Moving a Depot

To move a depot, stop it and name its new place:

\`\`\`
depot move --to=PLACE
\`\`\``,
    );
    const command = page(
      2,
      'depot-stash(1)',
      `## NAME

depot-stash - Put parcels aside until they are called for

## COMMANDS

**pop [--index] [\\<stash>]**

Take the last parcels that were put aside, and forget where they were. They must be in the same depot.

**drop [\\<stash>]**

Throw parcels away that were put aside with \`depot stash\`.

-f

--force

Do it even if parcels would be lost in the depot.`,
    );
    const glossary = page(
      3,
      'Glossary',
      '**Cold depot**\n\nWhere `depot` keeps parcels that nobody has called for in a year.',
    );
    const manual = [settings, command, glossary];

    it.each([
      [
        'What is the default value of work_mem?',
        '`work_mem` (`integer`): Sets how much memory a query may use before it writes temporary files. The default value is four megabytes. [1]',
      ],
      [
        'What is the default of hash_mem_multiplier?',
        '`hash_mem_multiplier` (`floating point`): Multiplies `work_mem` for queries that build a hash table. The default is 2.0. [1]',
      ],
      [
        'What does work_mem do?',
        '`work_mem` (`integer`): Sets how much memory a query may use before it writes temporary files.',
      ],
      ['What does depot stash do?', 'depot-stash - Put parcels aside until they are called for. [2]'],
      ['What does depot stash pop do?', 'Take the last parcels that were put aside, and forget where they were.'],
      ['What does --force do?', '-f, --force: Do it even if parcels would be lost in the depot. [2]'],
      ['What is a cold depot?', 'Where `depot` keeps parcels that nobody has called for in a year. [3]'],
    ])('quotes the entry that is named: %s', async (question, answer) => {
      expect(await ask(question, manual)).toContain(answer);
    });

    it('quotes the sentence that tells two things apart', async () => {
      const types = page(
        1,
        'Depots',
        'A `shed` and a `vault` are depots. The differences are shown in the `depot` examples. A `shed` is open to all, while a `vault` opens for its owner. A `vault` costs more.',
      );
      const answer = await ask('What is the difference between a shed and a vault?', [types]);
      expect(answer).toBe('A `shed` is open to all, while a `vault` opens for its owner. A `vault` costs more. [1]');
    });

    it('quotes the row of a table whose first cell is just what a figure is asked of', async () => {
      const limits = page(
        1,
        'Appendix K. Limits',
        '| Item | Upper limit | Comment |\n|---|---|---|\n| depots per `vault` | 32 | |\n| parcels per depot | 1,600 | fewer if they are large |',
      );
      const answer = await ask('What is the maximum number of parcels in a depot?', [limits]);
      expect(answer).toContain('1,600');
      expect(answer).not.toContain('32');
    });

    it('overlooks the number of a heading, and shows the code below it', async () => {
      const answer = await ask('How do I move a depot?', manual);
      expect(answer).toContain('To move a depot, stop it and name its new place:');
      expect(answer).toContain('depot move --to=PLACE');
    });

    it('quotes no entry of a name that is only part of a label', async () => {
      const labelled = page(
        1,
        'Files',
        '`WAL` file\n\n**WAL file**\n\nA numbered file that `depot` writes to before it answers.',
      );
      expect(await ask('What is the default of WAL?', [labelled])).toBe('');
    });
  });

  describe('asked for the topic of a section', () => {
    const manual = [
      ...pages.slice(0, 1),
      ...pages.slice(2),
      page(
        4,
        'parcelq › Problems',
        `## Reporting a problem

Open an issue with these parts:

- the version of \`parcelq\`
- the output of \`parcelq doctor\`

Thank you.

## Rotating the credentials

Run the command, then restart every worker.

\`\`\`sh
parcelq rotate
\`\`\``,
      ),
    ];

    it('gives its beginning, with the whole list that it announces', async () => {
      const text = await ask('How do I report a bug in parcelq?', manual);
      expect(text).toMatch(
        /^Open an issue with these parts:\n\n- the version of `parcelq`.?\n- the output of `parcelq doctor`/,
      );
      expect(text).not.toContain('Thank you');
    });

    it('gives the code that follows an instruction', async () => {
      const text = await ask('parcelq rotating credentials', manual);
      expect(text).toContain('Run the command, then restart every worker.');
      expect(text).toContain('parcelq rotate\n```');
    });
  });

  it('answers keywords that look like another language', async () => {
    const table = '| | takes |\n|---|---|\n| a job without a worker | 6 ms of CPU |';
    const text = await ask('cpu per job without a worker', [
      ...pages,
      page(4, 'parcelq › Size', `\`parcelq\` is small.\n\n${table}`),
    ]);
    expect(text).toContain('6 ms of CPU');
  });
});
