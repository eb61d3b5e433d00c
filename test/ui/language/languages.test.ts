/** The interface languages: each says everything, with the same placeholders, and the page takes the one that it should. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages as named } from '../../../src/ui/language/choice.ts';
import { hasNoBrowser, openBrowser, openPage } from '../../support/browser/browser.ts';
import { textLiterals } from '../../support/browser/text-literals.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';
import { sameAsEnglish } from './same-as-english.ts';

type Tree = { readonly [key: string]: string | Tree };

const ui = fileURLToPath(new URL('../../../src/ui/', import.meta.url));
/** Each is a folder with a file for each language, loaded by the pages that use it; the chat's is `messages`. */
const families = readdirSync(`${ui}language`, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const languages = Object.keys(named);

async function messagesOf(family: string, language: string): Promise<Tree> {
  return (await import(`${ui}language/${family}/${language}.ts`)).messages;
}

it('finds the families of messages', () => {
  expect(families).toEqual(expect.arrayContaining(['messages', 'dashboard']));
});

const others = families.flatMap((family) =>
  languages.filter((language) => language !== 'en').map((language) => [family, language] as const),
);
describe.each(others)('the messages of the family %s in %s', async (family, language) => {
  const english = flat(await messagesOf(family, 'en'));
  const texts = flat(await messagesOf(family, language));

  it('have the keys of the English ones, in their order', () => {
    const keys = (all: ReadonlyMap<string, string>) => [...new Set([...all.keys()].map(withoutForm))];
    expect(keys(texts)).toEqual(keys(english));
  });

  it('have the placeholders and tags of the English ones', () => {
    const different = [...texts].filter(([key, text]) => {
      const original = english.get(key) ?? english.get(`${withoutForm(key)}.other`)!;
      return String(slots(text)) !== String(slots(original));
    });
    expect(different).toEqual([]);
  });

  it('have the plural forms that counting to a thousand needs, and no others', () => {
    const rules = new Intl.PluralRules(language);
    const needed = new Set(Array.from({ length: 1_001 }, (_, count) => rules.select(count)));
    for (const key of texts.keys()) {
      if (!key.endsWith('.other')) continue;
      const forms = ['one', 'other'].filter((form) => texts.has(`${withoutForm(key)}.${form}`));
      expect([key, forms]).toEqual([key, [...needed].sort()]);
    }
  });

  it('leave nothing in English but what is written the same', () => {
    const same = [...texts].filter(
      ([key, text]) => text === english.get(key) && /\p{L}/u.test(text.replace(/\{\w+\}/g, '')),
    );
    const { everywhere = [], [language]: here = [] } = sameAsEnglish[family] ?? {};
    const allowed = [...everywhere, ...here];
    expect(same.map(([key]) => key).filter((key) => !allowed.includes(key))).toEqual([]);
  });

  it('have no blank text, and no space at an end', () => {
    expect([...texts].filter(([, text]) => text.trim() !== text || text === '')).toEqual([]);
  });
});

function flat(tree: Tree | object, above = ''): Map<string, string> {
  return new Map(
    Object.entries(tree as Tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[above + key, value] as const] : [...flat(value, `${above}${key}.`)],
    ),
  );
}

function withoutForm(key: string): string {
  return key.replace(/\.(?:one|other)$/, '');
}

/** The placeholders and tags of a text, sorted. A form for one thing need not say the number. */
function slots(text: string): string[] {
  return [...text.matchAll(/\{\w+\}|<\/?\w+>/g)]
    .map(([slot]) => slot)
    .filter((slot) => slot !== '{count}')
    .sort();
}

/** Folders whose texts are all messages. */
const translated = [
  ...['chat', 'components', 'dashboard', 'language', 'markdown', 'not-found', 'shared-thread', 'template'],
];

describe('translated pages', () => {
  it('finds text in every place where a page can have it', async () => {
    const source = `
      const title = 'Hello there';
      export const A = ({ on }) => (
        <p class="a b" aria-label="go" title={on ? 'yes' : \`no \${on}\`}>
          Words {on && 'more'} {'·'} <input placeholder="name" type="text" />
        </p>
      );
      toast('Code copied.');`;
    expect(await textLiterals(source)).toEqual([
      'Hello there',
      'go',
      'yes',
      'no ',
      'Words ',
      'more',
      'name',
      'Code copied.',
    ]);
  });

  it('have no text in their code', async () => {
    const inFolders = translated.flatMap((folder) =>
      readdirSync(ui + folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    );
    const files = inFolders.filter((file) => /\.tsx?$/.test(file) && !isMessages(file));
    expect(files.length).toBeGreaterThan(50);
    const found = await Promise.all(
      files.map(async (file) =>
        (await textLiterals(readFileSync(ui + file, 'utf8'))).map((text) => `${file}: ${text}`),
      ),
    );
    expect(found.flat().filter((text) => !allowedTexts.some((each) => text.endsWith(`: ${each}`)))).toEqual([]);
  });
});

/** Names, commands, an example, and what only English or a mistake in the code shows. */
const allowedTexts = [
  ...[
    'Citewire',
    ' Citewire',
    ' – Citewire',
    'cw_…',
    'cw_',
    'Files',
    'source-mode',
    'format-mode',
    'API',
    'Webhook',
    'v',
  ],
  ...[' index ~/Documents', 'MODEL=… OPENAI_BASE_URL=… ', ' serve', ' login', 'No pages can be read yet.'],
  ...['outcome', 'channel', 'key_id', 'time', 'starter', 'How do I check a citation?'],
  ...['Could not reach the server.', 'The server answered '],
];

/** How languages, programming languages and search providers are called, and commands and programs. */
const namesOnly = [
  ...['language/choice.ts', 'markdown/code-colours.ts', 'chat/answer/export-formats.ts'],
  ...['dashboard/usage/first-request.ts', 'dashboard/playground/samples.ts', 'language/provider-names.ts'],
  // In English until it has messages.
  'dashboard/sign-in.tsx',
];

function isMessages(file: string): boolean {
  return families.some((family) => file.startsWith(`language/${family}/`)) || namesOnly.includes(file);
}

describe.skipIf(hasNoBrowser)('the language of a page', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startTestApp();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  it.each([
    ['de-AT', 'de', 'Was möchten Sie wissen?'],
    ['fr', 'fr', 'Que cherchez-vous ?'],
    ['es-MX', 'es', '¿Qué quiere saber?'],
    ['zh-CN', 'zh-Hans', '想了解什么？'],
    ['en-US', 'en', 'What would you like to know?'],
    ['pt-BR', 'en', 'What would you like to know?'],
  ])('is that of the browser: %s', async (locale, lang, heading) => {
    await using opened = await openPage(browser, app.url, { key: app.key, locale });
    const { page, problems } = opened;
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    expect(problems).toEqual([]);
  });

  it('loads the texts of one language, before its scripts ask for them', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key, locale: 'fr' });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Que cherchez-vous ?' }).waitFor();
    const [files, loaded] = await page.evaluate(
      () =>
        [
          { ...document.querySelector<HTMLScriptElement>('script[data-fr]')!.dataset } as Record<string, string>,
          performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
        ] as const,
    );
    const isLoaded = ([, paths]: readonly [string, string]) => paths.split(' ').some((path) => loaded.includes(path));
    expect(
      Object.entries(files)
        .filter(isLoaded)
        .map(([language]) => language),
    ).toEqual(['fr']);
    for (const path of files.fr!.split(' ')) {
      expect(await page.locator(`link[rel=modulepreload][href="${path}"]`).count()).toBe(1);
    }
  });

  it('says without scripts, in every language, that it needs them', async () => {
    await using opened = await openPage(browser, app.url, { javaScriptEnabled: false });
    const said = opened.page.locator('noscript');
    expect(await said.evaluateAll((all) => all.map((each) => (each as HTMLElement).lang))).toEqual([
      ...['en', 'de', 'fr', 'es', 'zh-Hans'],
    ]);
    expect(await said.evaluateAll((all) => all.every((each) => (each as HTMLElement).offsetHeight > 0))).toBe(true);
  });

  it('can be chosen, stays chosen in this browser, and can follow the browser again', async () => {
    await using opened = await openPage(browser, app.url, { key: app.key, locale: 'en-GB' });
    const { page } = opened;
    await page.getByRole('button', { name: 'Language' }).click();
    expect(
      await page.getByRole('menuitemradio', { name: 'Browser default: English' }).getAttribute('aria-checked'),
    ).toBe('true');
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Was möchten Sie wissen?' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sprache' }).click();
    expect(await page.getByRole('menuitemradio', { name: 'Deutsch' }).getAttribute('aria-checked')).toBe('true');
    await page.getByRole('menuitemradio', { name: 'Wie im Browser: English' }).click();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  });
});
