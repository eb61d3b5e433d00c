/** The documentation is proved: what the code has is written down, and what is written down is in the code. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as contract from '../protocol/index.ts';
import { plans } from '../src/access/plans.ts';
import { settingNames } from '../src/base/config.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const page = read('protocol/PROTOCOL.md');

describe('PROTOCOL.md', () => {
  it('has a row for each call, with its key, its cost and whether it is ours', () => {
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
  ] as const)('has a heading for each message, and its fields: %s', (title, messages, shared) => {
    const section = sectionOf(title);
    expect(headingsOf(section)).toEqual(Object.keys(messages).map((type) => `\`${type}\``));
    for (const [type, { shape }] of Object.entries(messages)) {
      const fields = Object.keys(shape).filter((field) => !(shared as readonly string[]).includes(field));
      expect(firstCells(sectionOf(`\`${type}\``, section)), type).toEqual(fields.map(code));
    }
  });

  it('has the fields that every event has', () => {
    const [before = ''] = sectionOf('Events').split(/^#### /m);
    expect(sorted(firstCells(before))).toEqual(sorted(['type', ...Object.keys(contract.LogPosition.shape)].map(code)));
  });

  it('has a heading for each object, and its fields', () => {
    const objects = [
      'SearchRequest',
      'ContentsRequest',
      'TicketRequest',
      'SignInRequest',
      'ApiKeyRequest',
      'ApiKeyName',
      'Budget',
      'Source',
      'Citation',
      'LeafEvidence',
      'TextResult',
      'StructuredResultWithEvidence',
      'PatchOperation',
      'Usage',
      'Timings',
      'SearchRecord',
      'SearchList',
      'Ticket',
      'KeyUsage',
      'BrowserSession',
      'ApiKey',
      'ApiKeyList',
      'NewApiKey',
      'AccountUsage',
      'Contents',
      'PageContents',
      'ErrorObject',
      'ValidationError',
    ] as const;
    const headingOf = (name: string) => (name === 'ErrorObject' ? 'Error object' : name);
    for (const name of objects) {
      const fields = rowsOf(sectionOf(headingOf(name))).map(([field]) => field!.replace(/ \(\+\)$/, ''));
      expect(fields, name).toEqual(Object.keys(contract[name].shape).map(code));
    }
    expect(objects.map(headingOf)).toEqual(expect.arrayContaining(headingsOf(sectionOf('Objects'))));
  });

  it('has a heading for each object of designed APIs, and its fields', () => {
    const {
      Design,
      DesignInput,
      DesignRecord,
      DesignList,
      VersionPublished,
      DesignVersions,
      PublishedList,
      PublishedApi,
    } = contract;
    const own = Object.keys(DesignRecord.shape).filter((field) => !(field in Design.shape));
    const inputs = new Set(DesignInput.options.flatMap(({ shape }) => Object.keys(shape)));
    const others = { Design, DesignList, VersionPublished, DesignVersions, PublishedList, PublishedApi };
    const fields: Record<string, string[]> = {
      DesignInput: [...inputs],
      DesignRecord: own,
      ...Object.fromEntries(Object.entries(others).map(([name, { shape }]) => [name, Object.keys(shape)])),
    };
    const section = sectionOf('Designed and published APIs');
    for (const [name, names] of Object.entries(fields)) {
      expect(firstCells(sectionOf(name, section)), name).toEqual(names.map(code));
    }
    const headings = headingsOf(section);
    expect(sorted(headings)).toEqual(sorted(['Running an API', 'Publishing', ...Object.keys(fields)]));
  });

  it('names every kind of validation error that requests can give', () => {
    const named = sectionOf('ValidationError');
    for (const type of ['missing', 'extra_forbidden', 'mutually_exclusive', 'list_of_one', 'too_deep', 'value_error']) {
      expect(named).toContain(code(type));
    }
  });

  it('has a row for each error, with its status, its close code and whether to try again', () => {
    const rows = Object.entries(contract.errorTable).map(([name, row]) => [
      code(name),
      String(row.status),
      'close' in row ? String(row.close) : '–',
      row.retryable ? 'yes' : 'no',
    ]);
    expect(rowsOf(sectionOf('Codes')).map((row) => row.slice(0, 4))).toEqual(rows);
  });

  it('has a row for each close code', () => {
    expect(firstCells(sectionOf('Close codes'))).toEqual(contract.allCloseCodes.map((each) => code(String(each))));
  });

  it('has a row for each limit, with its value', () => {
    const { requestLimits, templateLimits, designLimits, sessionLimits } = contract;
    const limits = { request: requestLimits, template: templateLimits, design: designLimits, session: sessionLimits };
    const expected = Object.entries(limits).flatMap(([part, values]) =>
      Object.entries(values).map(([name, value]) => [code(`${part}.${name}`), value.toLocaleString('en')]),
    );
    const rows = ['Request', 'Template', 'Designs', 'Session'].flatMap((part) => rowsOf(sectionOf(part)));
    expect(rows.map((row) => row.slice(0, 2))).toEqual(expected);
  });

  it('has a row for each limit of the plans, with its values', () => {
    const shown = (value: number | boolean | { limit: number }) => {
      if (typeof value === 'boolean') return value ? 'yes' : 'no';
      return String(typeof value === 'number' ? value : value.limit);
    };
    const { starter, pro } = plans;
    const names = Object.keys(starter) as (keyof typeof starter)[];
    const expected = names.map((name) => [code(name), shown(starter[name]), shown(pro[name])]);
    expect(rowsOf(sectionOf('Plans')).map((row) => row.slice(0, 3))).toEqual(expected);
  });

  it('leads only to headings and files that are there', () => {
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title!));
    expect(headings.filter((anchor, at) => headings.indexOf(anchor) !== at)).toEqual([]);
    for (const [, target] of page.matchAll(/\]\(([^)]+)\)/g)) {
      if (target!.startsWith('#')) expect(headings).toContain(target!.slice(1));
      else expect(() => read(`protocol/${target}`), target).not.toThrow();
    }
  });
});

describe('README.md', () => {
  it('has a row for each setting, and only for those', () => {
    const rows = [...read('README.md').matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gm)].map(([, name]) => name);
    expect(sorted(rows)).toEqual(sorted([...settingNames]));
  });
});

/** What stands below a heading, up to the next of its rank. */
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

/** The cells of each table row, heads and rules left out. */
function rowsOf(section: string): string[][] {
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows
    .filter((line, at) => !isRule(line) && !isRule(rows[at + 1] ?? ''))
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
  return rowsOf(section).map(([first]) => first!);
}

function code(name: string): string {
  return `\`${name}\``;
}

function sorted<Item>(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

/** As GitHub makes them. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
