/** What the server says of a search in English is said in the language of the page: warnings, refusals, failures, restrictions. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { emptySearch, type SearchState, type Step } from '../../../src/client/client.ts';

const thread = '../../../src/ui/chat/thread';

/** The functions of the page as they are in a browser of this language. */
async function textsIn(locale: string) {
  vi.resetModules();
  vi.stubGlobal('navigator', { languages: [locale] });
  const [warning, refusal, failure, step] = await Promise.all([
    import(`${thread}/ending/warning-text.ts`) as Promise<
      typeof import('../../../src/ui/chat/thread/ending/warning-text.ts')
    >,
    import(`${thread}/ending/refusal-text.ts`) as Promise<
      typeof import('../../../src/ui/chat/thread/ending/refusal-text.ts')
    >,
    import(`${thread}/ending/failure-text.ts`) as Promise<
      typeof import('../../../src/ui/chat/thread/ending/failure-text.ts')
    >,
    import(`${thread}/steps/step-text.ts`) as Promise<typeof import('../../../src/ui/chat/thread/steps/step-text.ts')>,
  ]);
  const server = await import('../../../src/ui/language/server-text.ts');
  await server.loadServerTexts();
  return { ...warning, ...refusal, ...failure, ...step };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A message of each kind that the server sends, with what has to stay in it. */
const warnings: readonly (readonly [code: string, message: string, kept: readonly string[]])[] = [
  ['source_unreachable', 'example.org/a: The page did not load in time.', ['example.org/a']],
  ['source_unreachable', 'localhost:8080/a: The page did not load in time.', ['localhost:8080/a']],
  ['provider_failed', 'searxng: it could not be reached.', ['SearXNG']],
  ['model_failed', 'Writing continued without the model: it repeats itself.', []],
  ['model_failed', 'Writing ended early because of the model: it refused to answer.', []],
  ['model_failed', 'Reflection continued without the model: it did not answer in time.', []],
  ['partial_coverage', "No search provider answered; the results are from the server's own index.", []],
  ['partial_coverage', 'The search used up its time; the result is based on what had been found by then.', []],
  ['source_wish_not_met', 'Nothing was found that was published within the timeframe of the prompt.', []],
  ['source_wish_not_met', 'Nothing was found in the sources named in the prompt.', []],
  ['uncited', 'Nothing in this answer could be found in its sources.', []],
  ['uncited', 'The sources are said to disagree, but only one is cited.', []],
  ['uncited', '3 of the 14 sentences of this answer could not be found in its sources.', ['3', '14']],
  ['contradicted', 'Not cited, because its source says otherwise: The lamp is red.', ['The lamp is red.']],
  ['image_not_used', 'No model with vision is configured.', []],
  ['image_not_used', 'The chosen model takes no images.', []],
  ['image_not_used', 'The image could not be fetched.', []],
  ['image_not_used', 'The model could not read the image.', []],
  ['throttled', 'The server is busy: searches of the starter plan are queued.', []],
  ['index_incomplete', 'The index is still being built: 12 of 90 pages so far. Ask again in a moment.', ['12', '90']],
  ['index_unavailable', 'The index cannot be reached at the moment; the result is based on the web alone.', []],
  ['embeddings_failed', 'The index was searched by words alone, because the embedding model failed: no.', []],
  ['rerank_failed', 'The passages keep the order of the index, because the rerank model failed: no.', []],
  ['not_stored', 'The disk is full.', []],
  ['list_cut', 'Lists have at most 100 elements; the sources have more than that.', ['100']],
];

const english = /\b(?:the|could|answered|failed|found|that)\b/i;

it('knows every code of a warning that the protocol names', () => {
  const section = readFileSync('protocol/PROTOCOL.md', 'utf8').split('#### `warning`')[1]!.split('| field')[0]!;
  const codes = [...section.matchAll(/`([a-z]+(?:_[a-z]+)+|uncited|contradicted|throttled)`/g)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(12);
  expect(codes.filter((code) => !warnings.some(([known]) => known === code))).toEqual([]);
});

describe.each(['de', 'fr', 'es', 'zh'])('in %s', async (locale) => {
  const texts = await textsIn(locale);

  it.each(warnings)('a warning %s is translated: %s', (code, message, kept) => {
    const said = texts.describeWarning({ code, message });
    expect(said).not.toBe(message);
    expect(kept.reduce((rest, word) => rest.replace(word, ''), said)).not.toMatch(english);
    for (const word of kept) expect(said).toContain(word);
  });

  it('a warning says why the model failed', () => {
    const said = (why: string) =>
      texts.describeWarning({ code: 'model_failed', message: `Writing continued without the model: ${why}` });
    const plain = said('it failed.');
    expect(said('its endpoint returned status 503.')).toContain('503');
    const reasons = [
      'its endpoint refused the key (status 401).',
      'its account has too little credit left (status 402).',
      'it did not answer in time.',
      'it refused to answer.',
    ];
    for (const reason of reasons) expect(said(reason).length).toBeGreaterThan(plain.length);
    expect(new Set(reasons.map(said)).size).toBe(reasons.length);
    const unused = ' The model is not used again in this search.';
    expect(said(reasons[0]! + unused).length).toBeGreaterThan(said(reasons[0]!).length);
  });

  it('a warning that is not known is shown as the server says it', () => {
    expect(texts.describeWarning({ code: 'new', message: 'Something new.' })).toBe('Something new.');
    expect(texts.describeWarning({ code: 'uncited', message: 'Other words.' })).toBe('Other words.');
  });

  it('everything that a refusal can say is translated', () => {
    const engine = ['writing/refusal.ts', 'research/small-talk.ts'].map((file) => `src/engine/${file}`);
    const sentences = engine
      .flatMap((file) => [
        ...readFileSync(file, 'utf8').matchAll(/'((?:[A-Z]|a |sources |asking |adding )[^'\n]{15,})'/g),
      ])
      .map(([, text]) => text!);
    expect(sentences.length).toBeGreaterThanOrEqual(9);
    for (const sentence of sentences) {
      const message = /^[A-Z]/.test(sentence) ? sentence : `Not answered by these sources. You could try: ${sentence}.`;
      const said = texts.describeRefusal(message);
      expect([sentence, said]).toEqual([sentence, expect.not.stringMatching(english)]);
      expect(said).not.toBe(texts.describeRefusal('Not answered by these sources.'));
    }
    expect(texts.describeRefusal('Not answered by these sources.')).toEqual(expect.not.stringMatching(english));
  });

  it.each([
    'Nothing in the document that the question names is about this.',
    'Nothing in the sources that this request allows is about this question. Other sources may have it.',
    'Not answered by these sources. What may help: other sources than those that the request allows.',
    'Not answered by these sources. What may help: the question without the name of a document.',
  ])('what earlier versions have stored is translated: %s', (message) => {
    const said = texts.describeRefusal(message);
    expect(said).toEqual(expect.not.stringMatching(english));
    expect(said).not.toBe(texts.describeRefusal('Not answered by these sources.'));
  });

  it('a full thread is not said to be deleted', () => {
    const refused = (msg: string) =>
      texts.describeFailure({
        code: 'validation_error',
        message: 'Invalid request.',
        retryable: false,
        issues: [{ loc: ['body', 'thread'], msg, type: 'value_error' }],
      });
    const full = refused('expected a thread with fewer than 200 searches; begin another one');
    expect(full.text).toContain('200');
    expect(full.retryLabel).toBe(refused('expected a thread of this account').retryLabel);
    expect(full.title).not.toBe(refused('expected a thread of this account').title);
  });

  it('a failure says what to do, and keeps what only the server knows', () => {
    const failure = {
      code: 'deadline_exceeded' as const,
      message: 'The search did not finish within 90 s.',
      retryable: true,
    };
    expect(texts.describeFailure(failure).text).toEqual(expect.not.stringMatching(english));
    expect(texts.describeFailure({ ...failure, code: 'forbidden', message: 'Suspended.' }).text).toBe('Suspended.');
  });

  it('a search that nobody stopped says what did, and what is left of it', () => {
    const sources = [{ id: 'one' }] as unknown as SearchState['sources'];
    const textOf = (search: Partial<SearchState>) =>
      texts.describeEnding({ ...emptySearch, state: 'cancelled', ...search })!.text;
    const own = textOf({ cancelled_by: 'client', sources });
    const others = (['admin', 'deadline'] as const).map((cancelled_by) => textOf({ cancelled_by, sources }));
    expect(new Set([own, ...others]).size).toBe(3);
    for (const other of others) expect(other.endsWith(own)).toBe(true);
    // Nothing is shown above.
    expect(textOf({ cancelled_by: 'client' })).toBe('');
    expect(others[0]!.startsWith(textOf({ cancelled_by: 'admin' }))).toBe(true);
  });

  it('a source that is no address is named in words of the language', () => {
    const issue = {
      loc: ['body', 'source_whitelist', 0],
      msg: 'expected a URL, a host or host/path; got "not a host"',
      type: 'value_error' as const,
    };
    const failure = { code: 'validation_error' as const, message: issue.msg, retryable: false, issues: [issue] };
    const { text } = texts.describeFailure(failure);
    expect(text).toContain('"not a host"');
    expect(text).not.toContain('expected');
  });

  it('what a question is restricted to is translated, and its queries stay', () => {
    const step = { step_id: 's', kind: 'plan', title: 'Reading the question', state: 'ok' } as Step;
    const summary = 'only children · from 2025-01-31 · in de · only The lease · without example.org';
    const said = texts.summaryOf({ ...step, summary })!;
    expect(said.split(' · ')[0]).toBe('only children');
    expect(said).toContain('The lease');
    expect(said).toContain('2025');
    expect(said.slice('only children'.length)).not.toMatch(/\b(?:only|without|from|in) /);
  });
});

it('in English, all but the names of providers is shown as the server says it', async () => {
  const texts = await textsIn('en');
  for (const [code, message] of warnings) {
    expect(texts.describeWarning({ code, message })).toBe(message.replace('searxng', 'SearXNG'));
  }
  expect(texts.describeRefusal('Hello.')).toBe('Hello.');
});
