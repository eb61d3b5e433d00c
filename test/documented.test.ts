/** The documentation is proved: what the code has is documented, and what is documented is in the code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as contract from '../protocol/index.ts';
import { plans } from '../src/access/plans.ts';
import { settingNames } from '../src/base/config.ts';
import { createProgram } from '../src/cli/commands/program.ts';
import { efforts } from '../src/engine/budget.ts';

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');
const page = read('protocol/PROTOCOL.md');
const docs = readdirSync(at('docs')).map((name) => `docs/${name}`);
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'bench/throughput/NOTES.md',
  'tools/training/NOTES.md',
  'protocol/PROTOCOL.md',
  'protocol/GLOSSARY.md',
  ...docs,
];

const schemas = { ...contract };
type ObjectName = {
  [Name in keyof typeof schemas]: (typeof schemas)[Name] extends { shape: object } ? Name : never;
}[keyof typeof schemas];
const fieldsOf = (name: ObjectName) => Object.keys(schemas[name].shape);

describe('PROTOCOL.md', () => {
  it('documents each HTTP call, with its key, its cost and whether it goes beyond the interface', () => {
    const rows = rowsOf(sectionOf('Calls')).filter(([call]) => /^`[A-Z]+ \//.test(call!));
    const routes = Object.values<contract.Route>(contract.routes).map(
      ({ method, path, key, browser, counted, ours }) => [
        `\`${method} ${path}\`${ours ? ' (+)' : ''}`,
        browser ? 'browser' : key ? 'yes' : 'no',
        counted ? '1' : '–',
      ],
    );
    expect(sorted(rows.map((row) => row.slice(0, 3)))).toEqual(sorted(routes));
  });

  it.each([
    ['Frames of the client', contract.clientFrames, ['type']],
    ['Frames of the server', contract.serverFrames, ['type', 'at']],
    ['Events', contract.searchEvents, ['type']],
  ] as const)('documents each message and its fields: %s', (title, messages, shared) => {
    const section = sectionOf(title);
    expect(headingsOf(section)).toEqual(Object.keys(messages).map((type) => `\`${type}\``));
    for (const [type, { shape }] of Object.entries(messages)) {
      const fields = Object.keys(shape).filter((field) => !(shared as readonly string[]).includes(field));
      expect(firstCells(sectionOf(`\`${type}\``, section)), type).toEqual(fields.map(code));
    }
  });

  it('documents the fields that every event has', () => {
    const [before = ''] = sectionOf('Events').split(/^#### /m);
    expect(sorted(firstCells(before))).toEqual(sorted(['type', ...Object.keys(contract.LogPosition.shape)].map(code)));
  });

  it('documents each object and its fields', () => {
    const objects = [
      'SearchRequest',
      'ContentsRequest',
      'TicketRequest',
      'SignInRequest',
      'ApiKeyRequest',
      'ApiKeyName',
      'Budget',
      'Source',
      'SourceExcerpt',
      'Citation',
      'LeafEvidence',
      'TextResult',
      'NearestQuote',
      'UncitedText',
      'StructuredResultWithEvidence',
      'PatchOperation',
      'Usage',
      'Timings',
      'SearchRecord',
      'SearchRemoved',
      'SearchList',
      'Ticket',
      'Suggestions',
      'FollowUps',
      'FeedbackRequest',
      'FeedbackGiven',
      'Feedback',
      'FeedbackList',
      'Capabilities',
      'KeyUsage',
      'BrowserSession',
      'ApiKey',
      'ApiKeyList',
      'NewApiKey',
      'AccountUsage',
      'RefusalList',
      'Contents',
      'PageContents',
      'ErrorObject',
      'ValidationError',
    ] as const;
    const headingOf = (name: string) => (name === 'ErrorObject' ? 'Error object' : name);
    for (const name of objects) {
      const fields = rowsOf(sectionOf(headingOf(name))).map(([field]) => field!.replace(/ \(\+\)$/, ''));
      expect(fields, name).toEqual(fieldsOf(name).map(code));
    }
    expect(objects.map(headingOf)).toEqual(expect.arrayContaining(headingsOf(sectionOf('Objects'))));
  });

  it('documents each object of designed APIs and its fields', () => {
    const {
      Design,
      DesignInput,
      DesignRecord,
      DesignList,
      VersionPublished,
      DesignVersions,
      PublishedList,
      PublishedApi,
      RestoreVersion,
      ListingChange,
      VersionListing,
    } = contract;
    const own = Object.keys(DesignRecord.shape).filter((field) => !(field in Design.shape));
    const inputs = new Set(DesignInput.options.flatMap(({ shape }) => Object.keys(shape)));
    const lists = { DesignList, DesignVersions, PublishedList };
    const ofVersions = { VersionPublished, PublishedApi, RestoreVersion, ListingChange, VersionListing };
    const others = { Design, ...lists, ...ofVersions };
    const fields: Record<string, string[]> = {
      DesignInput: [...inputs],
      DesignRecord: own,
      ...Object.fromEntries(Object.entries(others).map(([name, { shape }]) => [name, Object.keys(shape)])),
    };
    const section = sectionOf('Designed and published APIs');
    for (const [name, names] of Object.entries(fields)) {
      expect(firstCells(sectionOf(name, section)), name).toEqual(names.map(code));
    }
    const acts = ['Running an API', 'Publishing', 'Retiring a version', 'Restoring a version'];
    const headings = headingsOf(section);
    expect(sorted(headings)).toEqual(sorted([...acts, ...Object.keys(fields)]));
  });

  it('documents each object of threads and its fields', () => {
    const { ThreadSummary, ThreadList, ThreadTurn, NewThreadShare, SharedThread } = contract;
    const objects = { ThreadSummary, ThreadList, Thread: ThreadTurn, NewThreadShare, SharedThread };
    const section = sectionOf('Threads');
    for (const [name, { shape }] of Object.entries(objects)) {
      expect(sorted(firstCells(sectionOf(name, section))), name).toEqual(sorted(Object.keys(shape).map(code)));
    }
    expect(headingsOf(section)).toEqual(Object.keys(objects));
  });

  it.each([
    {
      title: 'Accounts',
      objects: [
        'AccountSummary',
        'AccountList',
        'AccountRequest',
        'AccountChange',
        'SuspectList',
        'InvitationRequest',
        'Invitation',
        'InvitationList',
      ],
      withoutFields: ['NewInvitation'],
    },
    {
      title: 'Webhooks',
      objects: [
        'WebhookEvent',
        'WebhookEndpointRequest',
        'WebhookEndpointChange',
        'WebhookEndpoint',
        'NewWebhookEndpoint',
        'WebhookEndpointList',
        'WebhookDelivery',
        'WebhookDeliveryRecord',
        'WebhookDeliveryList',
      ],
    },
    { title: 'Schedules', objects: ['ScheduleRequest', 'ScheduleChange', 'Schedule', 'ScheduleList'] },
    { title: 'Sources', objects: ['IndexSourceRequest', 'IndexedSource', 'IndexedSourceList', 'IndexVectors'] },
  ] as const)('documents each object and its fields: $title', ({ title, objects, ...others }) => {
    const section = sectionOf(title);
    for (const name of objects) {
      expect(firstCells(sectionOf(name, section)), name).toEqual(fieldsOf(name).map(code));
    }
    const withoutFields = 'withoutFields' in others ? others.withoutFields : [];
    expect(headingsOf(section)).toEqual([...objects, ...withoutFields]);
  });

  it('documents the types of validation errors', () => {
    const [, listed = ''] = /The values of `type`: ([^.]+)\./.exec(sectionOf('ValidationError')) ?? [];
    const named = [...listed.matchAll(/`(\w+)`/g)].map(([, type]) => type!);
    expect(named).toEqual([...contract.issueTypes]);
  });

  it('documents each error code, with its status, its close code, whether it is retryable and what it means', () => {
    const rows = Object.entries(contract.errorTable).map(([name, row]) => [
      code(name),
      String(row.status),
      'close' in row ? String(row.close) : '–',
      row.retryable ? 'yes' : 'no',
      row.means,
    ]);
    expect(rowsOf(sectionOf('Codes'))).toEqual(rows);
  });

  it('documents each close code', () => {
    expect(firstCells(sectionOf('Close codes'))).toEqual(contract.allCloseCodes.map((each) => code(String(each))));
  });

  it('documents each limit and its value', () => {
    const { requestLimits, jsonLimits, templateLimits, designLimits, sessionLimits, webhookLimits, scheduleLimits } =
      contract;
    const limits = {
      request: requestLimits,
      json: jsonLimits,
      template: templateLimits,
      design: designLimits,
      session: sessionLimits,
      webhook: webhookLimits,
      schedule: scheduleLimits,
      source: contract.sourceLimits,
    };
    const expected = Object.entries(limits).flatMap(([part, values]) =>
      Object.entries(values).map(([name, value]) => [code(`${part}.${name}`), value.toLocaleString('en')]),
    );
    const rows = [
      'Request',
      'JSON',
      'Template',
      'Designs',
      'Session',
      'Webhook',
      'Schedule limits',
      'Source limits',
    ].flatMap((part) => rowsOf(sectionOf(part)));
    expect(rows.map((row) => row.slice(0, 2))).toEqual(expected);
  });

  it('documents what each effort may spend', () => {
    const expected = Object.entries(efforts).map(([effort, { limits, rounds }]) =>
      [code(effort), limits.seconds, limits.searches, limits.pages, limits.tokens, rounds].map((cell) =>
        cell.toLocaleString('en'),
      ),
    );
    expect(rowsOf(sectionOf('Efforts'))).toEqual(expected);
  });

  it('documents each limit of the plans and its values', () => {
    const shown = (value: number | boolean | { limit: number }) => {
      if (typeof value === 'boolean') return value ? 'yes' : 'no';
      return String(typeof value === 'number' ? value : value.limit);
    };
    const { starter, pro } = plans;
    const names = Object.keys(starter) as (keyof typeof starter)[];
    const expected = names.map((name) => [code(name), shown(starter[name]), shown(pro[name])]);
    expect(rowsOf(sectionOf('Plans')).map((row) => row.slice(0, 3))).toEqual(expected);
  });
});

describe('docs/settings.md', () => {
  it('documents each setting, and nothing that is not a setting', () => {
    const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gm)].map(([, name]) => name);
    expect(sorted(rows)).toEqual(sorted([...settingNames]));
  });

  it('finds no other table of settings, and only existing settings in the commands of other pages', () => {
    for (const path of pages.filter((each) => each !== 'docs/settings.md')) {
      const text = read(path);
      expect(text, path).not.toMatch(/^\| `[A-Z][A-Z0-9_]*_[A-Z0-9]+` \|/m);
      const shell = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!).join('');
      for (const [, name] of shell.matchAll(/(?:^| )([A-Z][A-Z0-9_]+)=/gm)) expect(settingNames, path).toContain(name);
    }
  });
});

describe('README.md', () => {
  it('keeps the README to at most 250 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(250);
  });

  it('shows in the README how to start, how to test, and ten minutes of reading', () => {
    const readme = read('README.md');
    expect(readme).toContain('\n```sh\nnpm ci && npm start\n```\n');
    expect(readme).toContain('\n```sh\nnpm ci && npm test\n```\n');
    const [, walk = ''] = /^Ten minutes of reading: ([\s\S]*?)\n\n/m.exec(readme) ?? [];
    expect([...walk.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target)).toEqual([
      'protocol/PROTOCOL.md',
      'src/service/service.ts',
      'src/engine/engine.ts',
      'src/transport/websocket/session.ts',
    ]);
  });

  it('links from the README to every page of docs/, the glossary and the benchmarks', () => {
    const targets = linksOf(read('README.md'));
    for (const path of [...docs, 'protocol/GLOSSARY.md', 'bench/README.md']) expect(targets).toContain(path);
  });
});

describe('the commands of every page', () => {
  const table = createProgram(() => {});
  const commands = pages.flatMap((path) =>
    [...read(path).matchAll(/npm run -s citewire -- ([^`#\n]+)/g)].map(([, words]) => words!.trim()),
  );

  it('shows commands of the command line in several places', () => {
    expect(commands.length).toBeGreaterThan(10);
  });

  it.each(commands)('uses only commands and options that exist: %s', (words) => {
    let command = table;
    for (const word of words.split(' ')) {
      command = command.commands.find((each) => each.name() === word) ?? command;
    }
    expect(command !== table || words.startsWith('--'), 'it names a command').toBe(true);
    const known = [...command.options.map(({ long }) => long), '--help'];
    for (const [option] of words.matchAll(/(?<= |^)--[a-z-]+/g)) expect(known).toContain(option);
  });
});

describe('docs/command-line.md', () => {
  it('names each command, and the page that describes it', () => {
    const rows = rowsOf(read('docs/command-line.md')).filter(([, , where]) => where?.startsWith('['));
    const named = rows.flatMap(([cell]) => [...cell!.matchAll(/`([a-z]+)`/g)].map(([, name]) => name!));
    expect(sorted(named)).toEqual(sorted(createProgram(() => {}).commands.map((command) => command.name())));
  });
});

describe('GLOSSARY.md', () => {
  it('defines each term of the glossary, with the file it lives in', () => {
    const rows = rowsOf(read('protocol/GLOSSARY.md'));
    const terms = rows.map(([term]) => term!.replaceAll('*', ''));
    const needed = ['run', 'log', 'event', 'frame', 'cursor', 'subscription', 'evidence', 'passage', 'snapshot'];
    expect(terms).toEqual(expect.arrayContaining([...needed, 'pin', 'twin', 'plan', 'design', 'version']));
    for (const [term, meaning, where] of rows) {
      expect(meaning, term).toMatch(/^[A-Z].*\.\)?$/);
      expect(where, term).toMatch(/^\[`[^`]+`\]\([^)]+\)$/);
    }
  });
});

describe('every page', () => {
  it.each(pages)('links only to files and headings that exist: %s', (path) => {
    // Each version of the changelog has the same subjects, and nothing links to them.
    if (path !== 'CHANGELOG.md')
      expect(new Set(anchorsOf(path)).size, 'headings with different anchors').toBe(anchorsOf(path).length);
    for (const target of linksOf(read(path))) {
      const [file, anchor] = target.split('#') as [string, string | undefined];
      const found = file === '' ? path : posix.join(posix.dirname(path), file);
      expect(existsSync(at(found)), `${target} in ${path}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(found), `${target} in ${path}`).toContain(anchor);
    }
  });

  it.each(pages)('names only files of the repository that exist: %s', (path) => {
    const inRepository = /`((?:src|protocol|test|bench|tools|docs|assets)\/[\w./-]*)`/g;
    for (const [, name] of read(path).matchAll(inRepository)) expect(existsSync(at(name!)), name).toBe(true);
  });
});

/** The text below a heading, up to the next heading of its rank or a higher one. */
function sectionOf(title: string, text = page): string {
  const heading = new RegExp(`^(#+) ${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'm').exec(text);
  if (heading === null) throw new Error(`PROTOCOL.md has no heading "${title}"`);
  const rest = text.slice(heading.index + heading[0].length);
  const end = new RegExp(`^#{1,${heading[1]!.length}} `, 'm').exec(rest);
  return rest.slice(0, end?.index);
}

/** The headings of the highest rank in a section. */
function headingsOf(section: string): string[] {
  const all = [...section.matchAll(/^(#+) (.+)$/gm)];
  const rank = Math.min(...all.map(([, marks]) => marks!.length));
  return all.filter(([, marks]) => marks!.length === rank).map(([, , title]) => title!);
}

/** The cells of each table row, without headers and rules. */
function rowsOf(section: string): string[][] {
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows
    .filter((line, index) => !isRule(line) && !isRule(rows[index + 1] ?? ''))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function isRule(line: string): boolean {
  return /^\|[-|]+\|$/.test(line);
}

function firstCells(section: string): string[] {
  return rowsOf(section).map(([first]) => first!.replace(/ \(\+\)$/, ''));
}

function code(name: string): string {
  return `\`${name}\``;
}

function sorted<Item>(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

/** The targets of links and images in Markdown and HTML, those to other sites left out. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(([, a, b]) => a ?? b!);
  return targets.filter((target) => !/^[a-z]+:/i.test(target));
}

function anchorsOf(path: string): string[] {
  const prose = read(path).replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title!));
}

/** As GitHub makes them. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
