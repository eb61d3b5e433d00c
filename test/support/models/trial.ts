/**
 * One search by a scripted behaviour in a running app, and the laws that hold whatever a model does: the search ends,
 * its shape is right, every quote stands at its offsets, every marker was checked, and nothing of the model's thoughts or
 * of its verdict on the answer is shown.
 */
import { expect } from 'vitest';
import type {
  Citation,
  LeafEvidence,
  OutputFormat,
  SearchEventOf,
  SearchFrame,
  StructuredObject,
  TextResult,
} from '../../../protocol/index.ts';
import { expectCitationsHold, expectLawful } from '../../contracts/search-laws.ts';
import { readEvents } from '../clients/sse-client.ts';
import type { TestApp } from '../start-app.ts';
import { expectShape } from '../templates.ts';
import { tagged } from './behaviour.ts';
import { thoughts } from './thinking.ts';

export interface Trial {
  readonly prompt: string;
  readonly output_format?: OutputFormat;
  readonly effort?: 'fast' | 'balanced' | 'deep';
  readonly image?: string;
  readonly max?: { readonly seconds?: number };
}

export interface Ending {
  readonly status: TextResult['status'];
  /** The answer; empty if it is structured. */
  readonly text: string;
  readonly output: StructuredObject | undefined;
  /** Of a structured answer, by path. */
  readonly leaves: ReadonlyMap<string, LeafEvidence>;
  readonly citations: readonly Citation[];
  readonly usage: TextResult['usage'];
  /** Codes and messages. */
  readonly warnings: readonly string[];
  readonly result: TextResult;
}

/** Searches with this behaviour, by a key of its own, and applies the laws. */
export async function tryBehaviour(app: TestApp, name: string, trial: Trial): Promise<Ending> {
  const key = (await app.accounts.createKey({ plan: 'pro', name })).plaintext;
  const { prompt, ...more } = trial;
  const request = {
    prompt: tagged(prompt, name),
    ...(trial.output_format === undefined ? {} : { include: ['evidence'] }),
    ...more,
  };
  const response = await app.post('/v1/search', request, { accept: 'text/event-stream', 'x-api-key': key });
  const frames = await readEvents(response);
  expectLawful(frames);
  const completed = frames.at(-1) as SearchEventOf<'search.completed'>;
  expect(completed.type).toBe('search.completed');
  const result = completed.result as TextResult & { output?: StructuredObject };
  const text = result.answer ?? '';
  const { citations } = completed;
  const read = async (id: string) =>
    ((await (await app.get(`/v1/contents/${id}`, { 'x-api-key': key })).json()) as { response: string }).response;
  await expectCitationsHold(citations, trial.output_format === undefined ? text : undefined, read);
  if (trial.output_format !== undefined) expectShape(trial.output_format, result.output!);
  expectChecked(text, citations);
  expectUncited(result, text);
  expectNoLeak(frames);
  return {
    status: completed.status,
    text,
    output: result.output,
    leaves: new Map((completed.evidence ?? []).map((leaf) => [leaf.path, leaf])),
    citations,
    usage: completed.usage,
    // On a busy machine a page or the database may be late, which says nothing about the model.
    warnings: frames
      .flatMap((frame) => (frame.type === 'warning' ? [`${frame.code}: ${frame.message}`] : []))
      .filter(
        (warning) => !/^source_unreachable: .* did not load in time\.$|^not_stored: .* did not answer/.test(warning),
      ),
    result,
  };
}

/** Outside code, everything that looks like a marker is `[n]` and follows the claim of a citation with that number. */
function expectChecked(text: string, citations: readonly Citation[]): void {
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => '.'.repeat(code.length));
  for (const { 0: marker, 1: n, index } of prose.matchAll(/\[(\d+)\]/g)) {
    const isCited = citations.some(
      ({ n: cited, end }) => cited === Number(n) && /^\s*(?:\[\d+\])*$/.test(text.slice(end, index)),
    );
    expect(isCited, `${marker} at ${index} was checked: ${text}`).toBe(true);
  }
  // Numbers in brackets that a page has, "[1, 2, 3]", are escaped.
  const rest = prose.replace(/\[\d+\]|\\\[[\d,\s–-]+\\\]/g, '');
  expect(rest).not.toMatch(
    /[【】†［］〔〕⁰¹²³⁴⁵⁶⁷⁸⁹]|\[\s*(?:\^|#|\[|\d)|\]\]|<\/?(?:sup|ref)\b|\^\d|\(\d{1,2}\)|\*\*\*\*|[[(](?:see|sources?|evidence|ref|cite)s?\W{0,2}\d/i,
  );
}

/** Sentences that lost their citations are stretches of the answer that no citation covers, in order. */
function expectUncited({ uncited = [], citations = [] }: TextResult, text: string): void {
  for (const [at, { start, end }] of uncited.entries()) {
    expect(text.slice(start, end)).toMatch(/\S/);
    expect(start).toBeGreaterThanOrEqual(uncited[at - 1]?.end ?? 0);
    expect(citations.filter((citation) => citation.start < end && citation.end > start)).toEqual([]);
  }
}

/** No reader sees a status line or thoughts, not even for a moment. */
function expectNoLeak(frames: readonly SearchFrame[]): void {
  const shown = frames
    .flatMap((frame) =>
      frame.type === 'answer.delta' ? [frame.text] : frame.type === 'field.completed' ? [String(frame.value)] : [],
    )
    .join('');
  expect(shown).not.toMatch(/\bstatu[ts]\W{0,6}(?:answered|partial|not.found|conflicting|beantwortet|répondu)|状态：/i);
  expect(shown).not.toMatch(thoughts);
}
