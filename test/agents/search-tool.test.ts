/** The tool for agents, called by the AI SDK itself with a model that a test scripts. */
import { readFileSync } from 'node:fs';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SearchToolOutput, searchTool } from '../../src/agents/search-tool.ts';
import { CitewireError } from '../../src/client/client.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Calls the tool once, then says what it was given. */
function agent(input: object): MockLanguageModelV3 {
  let calls = 0;
  return new MockLanguageModelV3({
    async doGenerate() {
      calls += 1;
      const rest = { usage, warnings: [] };
      if (calls > 1) {
        return { ...rest, finishReason: { unified: 'stop', raw: 'stop' }, content: [{ type: 'text', text: 'Done.' }] };
      }
      const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'research', input: JSON.stringify(input) } as const;
      return { ...rest, finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, content: [call] };
    },
  });
}

describe('the tool for agents', () => {
  it('gives a model an answer with the pages and quotes of its markers', async () => {
    const research = searchTool({ baseUrl: app.url, apiKey: app.key, effort: 'fast' });
    const model = agent({ question: 'Who designed the Heron Point Lighthouse?' });
    const { steps, text } = await generateText({ model, tools: { research }, stopWhen: stepCountIs(3), prompt: 'Go' });
    expect(text).toBe('Done.');
    const output = steps[0]?.toolResults[0]?.output as SearchToolOutput;
    expect(output).toMatchObject({ status: 'answered', search_id: expect.stringMatching(/^s_/) });
    expect(output.answer).toMatch(/Ingrid Solvay.*\[1\]/s);
    expect(output.sources[0]).toMatchObject({ n: 1, title: 'Heron Point Lighthouse' });
    expect(output.sources[0]?.quotes.join()).toContain('Ingrid Solvay');
    const sent = model.doGenerateCalls[0]?.tools?.[0];
    expect(sent).toMatchObject({ type: 'function', name: 'research', inputSchema: { required: ['question'] } });
  });

  it('is exported from the package as citewire/ai, with its types', () => {
    const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(exports['./ai']).toEqual({
      types: './dist/src/agents/search-tool.d.ts',
      default: './dist/src/agents/search-tool.js',
    });
  });

  it('says why there is no answer', async () => {
    const { execute } = searchTool({ baseUrl: app.url, apiKey: app.key });
    const { status, answer, sources } = await execute({ question: 'What does gold cost in Lagos?' });
    expect(status).toBe('not_found');
    expect(answer).not.toBe('');
    expect(sources).toEqual([]);
  });

  it('rejects when the key is not valid', async () => {
    const { execute } = searchTool({ baseUrl: app.url, apiKey: 'cw_no' });
    await expect(execute({ question: 'Who?' })).rejects.toThrow(CitewireError);
  });

  it('cancels the search when the call is aborted', async () => {
    const { execute } = searchTool({ baseUrl: app.url, apiKey: app.key });
    await expect(execute({ question: 'Who?' }, { abortSignal: AbortSignal.abort() })).rejects.toThrow();
  });
});
