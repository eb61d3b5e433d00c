/**
 * Sample calls of a published version, to paste into a shell or a program. The author's texts are quoted, so that no shell
 * or compiler interprets them as code.
 */
import type { DesignInput } from '../../protocol/index.ts';
import type { PublishedVersion } from './designs.ts';
import { isRequired } from './read-inputs.ts';

/** `base_url` is the URL of this server as the caller sees it. The key is a placeholder. */
export function sampleCalls(
  { api_stub, version, design }: PublishedVersion,
  base_url: string,
): { curl: string; typescript: string } {
  const inputs = sampleInputs(design.inputs, design.examples[0]?.inputs);
  const url = `${base_url}/v1/published-service/${api_stub}/v${version}`;
  return {
    curl: [
      `curl -s ${shellQuoted(url)}`,
      '-H "X-API-Key: $KEY"',
      "-H 'Content-Type: application/json'",
      `-d ${shellQuoted(JSON.stringify(inputs))}`,
    ].join(' '),
    typescript: [
      "import { createClient } from 'citewire/client';",
      '',
      `const client = createClient({ baseUrl: ${JSON.stringify(base_url)}, apiKey: '<API_KEY>' });`,
      `const run = client.callPublished(${JSON.stringify(api_stub)}, ${JSON.stringify(inputs)}, { version: ${version} });`,
      'console.log(await run.result);',
      'client.close();',
      '',
    ].join('\n'),
  };
}

/** The first example, or a value of the right type for each required input. */
function sampleInputs(
  inputs: Readonly<Record<string, DesignInput>>,
  example: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> {
  if (example !== undefined) return example;
  const required = Object.entries(inputs).filter(([, input]) => isRequired(input));
  return Object.fromEntries(required.map(([name, input]) => [name, sampleOf(name, input)]));
}

function sampleOf(name: string, input: DesignInput): string | number | boolean {
  if (input.type === 'boolean') return true;
  if (input.enum !== undefined) return input.enum[0]!;
  if (input.type === 'string') return name.padEnd(input.min ?? 1, '.').slice(0, input.max);
  return Math.min(Math.max(1, input.min ?? 1), input.max ?? Number.POSITIVE_INFINITY);
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
