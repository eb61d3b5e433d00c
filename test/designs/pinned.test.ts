/** Old versions, called while newer ones are published: each answer has the shape of the version that was asked for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../protocol/index.ts';
import { developmentAccount } from '../../src/access/accounts.ts';
import { createDesign, publish } from '../support/design.ts';
import { request } from '../support/requests.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { expectShape } from '../support/templates.ts';

/** `TEST_LONG=1` makes 10,000 calls. */
const calls = process.env.TEST_LONG === '1' ? 10_000 : 150;
const callsOfKey = 90;
const callers = 6;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const newKey = async () => ({
  'x-api-key': (await app.accounts.createKey({ name: 'caller', account: developmentAccount })).plaintext,
});

/** Another shape, and another input, for each version. */
function designOf(version: number): { output_format: OutputFormat; prompt: string; inputs: object; inputName: string } {
  const leaf = (['string', 'number', 'boolean'] as const)[version % 3]!;
  const inner = { [`f${version}`]: leaf };
  const output_format: OutputFormat = { designer: 'string', [`v${version}`]: version % 2 === 0 ? inner : [inner] };
  const inputName = `building_${version}`;
  const prompt = `Who designed the {{${inputName}}}?`;
  return { output_format, prompt, inputs: { [inputName]: { type: 'string' } }, inputName };
}

describe('a pinned version', () => {
  it(`answers ${calls} calls of a pinned version in its own shape while newer ones are published`, async () => {
    const { inputName: _, ...first } = designOf(1);
    const { api_id } = await createDesign(app, { api_stub: 'pinned', ...first, examples: [] });
    let newest = (await publish(app, api_id, await newKey())).version;
    let left = calls;
    let done = 0;

    async function publishOn(): Promise<void> {
      let key = await newKey();
      for (let n = 0; done < calls; n++) {
        if (n % callsOfKey === 0) key = await newKey();
        const { inputName: _, ...next } = designOf(newest + 1);
        expect((await request(app, 'PATCH', `/v1/design-api/${api_id}`, next, key)).status).toBe(200);
        newest = (await publish(app, api_id, key)).version;
        // A new version for about each twenty calls.
        const wait = Math.min(done + 20, calls);
        while (done < wait) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }

    async function call(): Promise<void> {
      let key = await newKey();
      for (let n = 1; left > 0; n++) {
        left -= 1;
        if (n % callsOfKey === 0) key = await newKey();
        const version = 1 + Math.floor(Math.random() * newest);
        const { output_format, inputName } = designOf(version);
        const body = { [inputName]: 'Heron Point Lighthouse' };
        const response = await app.post(`/v1/published-service/pinned/v${version}`, body, key);
        const answer = (await response.json()) as Record<string, never>;
        expect(response.status, JSON.stringify(answer)).toBe(200);
        expectShape(output_format, answer);
        expect(answer.designer).toBe('Ingrid Solvay');
        done += 1;
      }
    }

    await Promise.all([publishOn(), ...Array.from({ length: callers }, call)]);
    expect(done).toBe(calls);
    expect(newest).toBeGreaterThan(calls / 40);
    expect(app.faults).toEqual([]);
  }, 3_600_000);
});
