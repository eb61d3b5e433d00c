/**
 * What the server says in English apart from a search is said in the language of the page: why a page could not be read, why a
 * call was refused, what is wrong with a field. The messages are looked up in the code of the server, so that a new one is
 * missed here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  deliveryReasons,
  expectations,
  fileReasons,
  pageReasons,
  programsOnly,
  refusals,
  valueReasons,
} from './server-sentences.ts';

const folder = '../../../src/ui/language';

/** The functions of the page as they are in a browser of this language. */
async function textsIn(locale: string) {
  vi.resetModules();
  vi.stubGlobal('navigator', { languages: [locale] });
  const [server, errors] = await Promise.all([
    import(`${folder}/server-text.ts`) as Promise<typeof import('../../../src/ui/language/server-text.ts')>,
    import(`${folder}/describe-error.ts`) as Promise<typeof import('../../../src/ui/language/describe-error.ts')>,
  ]);
  await server.loadServerTexts();
  return { ...server, ...errors };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const sentences = [...pageReasons, ...fileReasons, ...refusals, ...valueReasons, ...deliveryReasons];

/** The literals in the code of these folders that `pattern` finds. */
function literalsIn(folders: readonly string[], pattern: RegExp): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) =>
      name.endsWith('.ts') ? [`${folder}/${name}`] : [],
    ),
  );
  const found = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)]);
  return [...new Set(found.map(([, literal]) => literal!.slice(1, -1)))];
}

const literal = '(`(?:[^`\\\\]|\\\\.)*`|\'(?:[^\'\\\\\\n]|\\\\.)*\'|"[^"\\n]*")';

/** Those that no message of the list could have been made from. */
function unknown(literals: readonly string[], messages: readonly (readonly [string, ...string[]])[]): string[] {
  return literals.filter((text) => {
    const parts = text.replaceAll("\\'", "'").split(/\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}/);
    const pattern = new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}`, 's');
    return !messages.some(([message]) => pattern.test(message)) && !programsOnly.some((only) => only.test(text));
  });
}

describe('the lists of messages have every', () => {
  it('reason why a page could not be read', () => {
    const inErrors = literalsIn(['src/web'], new RegExp(`PageError\\(\\s*'\\w+',\\s*${literal}`, 'g'));
    const apart = literalsIn(['src/web/fetch', 'src/web/extract'], new RegExp(`const message =\\s*${literal}`, 'g'));
    expect(inErrors.length).toBeGreaterThan(15);
    const ofPages = apart.filter((text) => !text.includes('has memory for'));
    expect(unknown([...inErrors, ...ofPages], pageReasons)).toEqual([]);
  });

  it('reason why a file could not be read', () => {
    const reasons = literalsIn(
      ['src/corpus'],
      new RegExp(`(?:reason:|[A-Z]{5,6}:|leadsOut =|return)\\s*${literal}`, 'g'),
    );
    const ofFiles = reasons.filter((text) => /^(?:it|its) /.test(text));
    expect(ofFiles.length).toBeGreaterThan(7);
    expect(unknown(ofFiles, fileReasons)).toEqual([]);
  });

  it('reason why a call was refused', () => {
    const said = literalsIn(
      ['src/access', 'src/service'],
      new RegExp(`AppError\\(\\s*'forbidden',\\s*${literal}`, 'g'),
    );
    expect(said.length).toBeGreaterThan(8);
    expect(unknown(said, refusals)).toEqual([]);
  });

  it('reason why a field of a template is empty', () => {
    const said = literalsIn(
      ['src/engine/writing', 'src/model/language'],
      new RegExp(`(?:unfit\\(leaf,|reason:)\\s*${literal}`, 'g'),
    );
    expect(said).toHaveLength(3);
    expect(unknown(said, valueReasons)).toEqual([]);
  });

  it('expectation of a field', () => {
    const folders = ['protocol', 'src/service', 'src/designs', 'src/schedules'];
    const said = literalsIn(folders, new RegExp(`(?<!new Error\\()${literal}`, 'g')).filter(
      // A name of a kind, or what the description of the API says of all of them.
      (text) => text.startsWith('expected ') && !/^expected (?:$|…|\$\{)/.test(text),
    );
    expect(said.length).toBeGreaterThan(50);
    expect(unknown(said, expectations)).toEqual([]);
  });
});

const english = /\b(?:the|could|answered|failed|found|that|expected|got|this|with|characters?)\b/i;

describe.each(['de', 'fr', 'es', 'zh'])('in %s', async (locale) => {
  const texts = await textsIn(locale);

  it.each(sentences)('a sentence is translated: %s', (message, ...kept) => {
    const said = texts.describeSentence(message);
    expect(said).not.toBe(message);
    for (const part of kept) expect(said).toContain(part);
    expect(kept.reduce((rest, part) => rest.replace(part, ''), said)).not.toMatch(english);
  });

  it.each(expectations)('an expectation is translated: %s', (message, ...kept) => {
    const said = texts.describeIssue(message);
    expect(said).not.toBe(message);
    const digits = said.replace(/(?<=\d)[.,\s\u202f\u00a0](?=\d{3}\b)/g, '');
    for (const part of kept) expect([said, digits].some((each) => each.includes(part))).toBe(true);
    expect(kept.reduce((rest, part) => rest.replaceAll(part, ''), said)).not.toMatch(english);
  });

  it('what is not known is shown as the server says it', () => {
    for (const message of ['Something new.', 'expected something new; got 3', 'The page is damaged, and new.']) {
      expect(texts.describeSentence(message)).toBe(message);
      expect(texts.describeIssue(message)).toBe(message);
    }
  });

  it('an error names its field in words of the language', () => {
    const issues = [{ loc: ['body', 'cron'], msg: 'expected five fields; got "0 8"', type: 'value_error' as const }];
    const said = texts.describeError({ code: 'validation_error', message: 'body.cron: …', issues });
    expect(said).toContain('"0 8"');
    expect(said).not.toMatch(/cron:|expected|got/);
    const below = texts.describeFieldError({ code: 'validation_error', message: '…', issues });
    expect(said.toLowerCase().endsWith(below.toLowerCase())).toBe(true);
    expect(below.length).toBeLessThan(said.length);
  });

  it('an error that says no more than its code is followed by what may help', () => {
    for (const code of ['connection_failed', 'rate_limited', 'internal']) {
      const { title, text } = texts.explain({ code, message: 'Something new.' });
      const said = texts.describeError({ code, message: 'Something new.' });
      expect([said.startsWith(title), said.endsWith(text)]).toEqual([true, true]);
      expect(said).not.toMatch(/Something new|[。.]\s*[。.]|\p{Script=Han}\s*\./u);
    }
  });

  it('an error with a code that only pages have is translated', () => {
    const [message] = pageReasons[2]!;
    expect(texts.describeError({ code: 'unsupported_type', message })).not.toMatch(english);
  });
});

it('in English, all but names of scopes is shown as the server says it', async () => {
  const texts = await textsIn('en');
  const asSaid = sentences.filter(([message]) => !message.includes('restricted to search'));
  for (const [message] of asSaid) expect(texts.describeSentence(message)).toBe(message);
  for (const [message] of expectations) expect(texts.describeIssue(message)).toBe(message);
});

it.each([
  ['en', 'This key may not do this. Its permissions: Ask questions and read pages; Run designed and published APIs.'],
  ['de', 'Seine Rechte: Fragen stellen und Seiten lesen; Eigene und veröffentlichte APIs ausführen.'],
])('what a key may do is said in words: %s', async (locale, said) => {
  const texts = await textsIn(locale);
  const message = 'This key may not manage webhooks: it is restricted to search, run.';
  expect(texts.describeError({ code: 'forbidden', message })).toContain(said);
});
