/**
 * Sample calls of a published version, to paste into a shell or a program, of TypeScript or Python. The author's texts are
 * quoted, so that no shell or compiler interprets them as code.
 */
import type { DesignInput } from './designs.ts';
import { isRequired } from './is-required.ts';
import { pythonCall, shellQuoted } from './sample-code.ts';

interface PublishedCall {
  readonly api_stub: string;
  readonly version: number;
  readonly inputs: Readonly<Record<string, DesignInput>>;
  /** Inputs to call it with; by default a value of the right type for each required one. */
  readonly example: Readonly<Record<string, unknown>> | undefined;
  /** The URL of the server as the caller sees it. */
  readonly base_url: string;
}

/** The key is a placeholder. */
export function samplePublishedCalls({ api_stub, version, inputs, example, base_url }: PublishedCall): {
  curl: string;
  typescript: string;
  python: string;
} {
  const body = example ?? sampleInputs(inputs);
  const sample = JSON.stringify(body);
  const url = `${base_url}/v1/published-service/${api_stub}/v${version}`;
  return {
    curl: [
      `curl -s ${shellQuoted(url)}`,
      "-H 'X-API-Key: <API_KEY>'",
      "-H 'Content-Type: application/json'",
      `-d ${shellQuoted(sample)}`,
    ].join(' '),
    typescript: [
      "import { createClient } from 'citewire/client';",
      '',
      `const client = createClient({ baseUrl: ${JSON.stringify(base_url)}, apiKey: '<API_KEY>' });`,
      `const run = client.callPublished(${JSON.stringify(api_stub)}, ${sample}, { version: ${version} });`,
      'console.log(await run.result);',
      'client.close();',
      '',
    ].join('\n'),
    python: pythonCall({ url, body, read: ['print(json.load(response))'] }),
  };
}

/** A value of the right type for each required input. */
function sampleInputs(inputs: PublishedCall['inputs']): Readonly<Record<string, unknown>> {
  const required = Object.entries(inputs).filter(([, input]) => isRequired(input));
  return Object.fromEntries(required.map(([name, input]) => [name, sampleOf(name, input)]));
}

function sampleOf(name: string, input: DesignInput): string | number | boolean {
  if (input.type === 'boolean') return true;
  if (input.enum !== undefined) return input.enum[0]!;
  if (input.type === 'string') return name.padEnd(input.min ?? 1, '.').slice(0, input.max);
  return Math.min(Math.max(1, input.min ?? 1), input.max ?? Number.POSITIVE_INFINITY);
}
