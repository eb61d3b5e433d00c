/** Which protocol is spoken where nothing says so: a key never goes to another company than its own. */
import { describe, expect, it } from 'vitest';
import { type ModelOptions, openModel } from '../../src/model/open-model.ts';

/** The addresses that are asked at startup. */
async function askedBy(options: Partial<ModelOptions>): Promise<string[]> {
  const asked: string[] = [];
  const fetched = async (input: unknown) => {
    asked.push(String(input));
    return Response.json({ data: [], models: [] });
  };
  await openModel({
    models: { writer: 'some-model' },
    provider: 'auto',
    fetchFor: () => fetched as typeof fetch,
    ...options,
  }).check();
  return asked;
}

describe('the protocol of an endpoint', () => {
  it.each([
    ['a key of OpenAI', { apiKey: 'sk-proj-1' }, 'https://api.openai.com/v1/models'],
    ['a key of Anthropic', { apiKey: 'sk-ant-1' }, 'https://api.anthropic.com/v1/models?limit=1000'],
    ['a key of Google', { apiKey: 'AIza1' }, 'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000'],
    [
      'the address of Anthropic',
      { baseUrl: 'https://api.anthropic.com' },
      'https://api.anthropic.com/v1/models?limit=1000',
    ],
    [
      'the address of Gemini in the words of OpenAI',
      { baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai/' },
      'https://generativelanguage.googleapis.com/v1beta/openai/models',
    ],
    ['any other address', { baseUrl: 'https://openrouter.ai/api/v1/' }, 'https://openrouter.ai/api/v1/models'],
    ['an encrypted port of Ollama', { baseUrl: 'https://gpu.example:11434' }, 'https://gpu.example:11434/api/show'],
    ['a local server', { baseUrl: 'http://127.0.0.1:8000/v1' }, 'http://127.0.0.1:8000/api/version'],
  ])('follows from %s', async (_, options, url) => {
    expect((await askedBy(options))[0]).toBe(url);
  });
});
