/** The generated documents: valid, current, complete, and with examples that fit their schemas. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Parser } from '@asyncapi/parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { asyncApiDocument } from '../../protocol/asyncapi.ts';
import {
  clientFrameExamples,
  errorExamples,
  eventExamples,
  requestExamples,
  resultExamples,
  serverFrameExamples,
} from '../../protocol/examples.ts';
import * as contract from '../../protocol/index.ts';
import { openApiDocument } from '../../protocol/openapi.ts';

const { clientFrames, searchEvents, serverFrames } = contract;
const root = fileURLToPath(new URL('../..', import.meta.url));
const committed = (name: string) => JSON.parse(readFileSync(join(root, 'protocol', name), 'utf8'));

describe('openapi.json', () => {
  it('generates a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(committed('openapi.json'));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('matches the OpenAPI document that the schemas generate', () => {
    expect(committed('openapi.json')).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  });

  it('declares the version, the key and the validation error that the interface promises', () => {
    const document = committed('openapi.json');
    expect(document.info).toMatchObject({ title: 'Citewire', version: '1.6.0' });
    expect(document.components.securitySchemes.apiKey).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
    });
    expect(document.components.schemas.HTTPValidationError.required).toContain('detail');
    expect(document.components.schemas.ValidationError.required).toEqual(['loc', 'msg', 'type']);
  });

  it('has an operation for each route, with its authentication, its body and its errors', () => {
    const { paths } = committed('openapi.json');
    for (const [name, route] of Object.entries<contract.Route>(contract.routes)) {
      const operation = paths[route.path]?.[route.method.toLowerCase()];
      expect(operation, name).toMatchObject({ operationId: name });
      const session = { session: [], ...(route.method === 'GET' ? {} : { csrf: [] }) };
      const keys = route.key ? [{ apiKey: [] }, { bearer: [] }] : [];
      const takesSession = route.browser === true || (route.key && route.keyOnly === undefined);
      const signIns = [...keys, ...(takesSession ? [session] : [])];
      expect(operation.security, name).toEqual(signIns);
      expect(operation.requestBody === undefined, name).toBe(route.body === undefined && route.binary === undefined);
      expect(operation.description.startsWith('(+)'), name).toBe(route.ours);
      for (const code of route.errors)
        expect(operation.responses, name).toHaveProperty(`${contract.statusAt(route.door ?? 'native', code)}`);
      if (route.counted) expect(Object.keys(operation.responses['429'].headers), name).toContain('Retry-After');
    }
  });

  it('contains everything that the OpenAPI document refers to', () => {
    expect(danglingReferences(committed('openapi.json'))).toEqual([]);
  });
});

describe('asyncapi.json', () => {
  it('generates a valid AsyncAPI 3 document', async () => {
    const { document, diagnostics } = await new Parser().parse(JSON.stringify(committed('asyncapi.json')));
    expect(diagnostics.filter((found) => found.severity <= 1)).toEqual([]);
    expect(document?.version()).toBe('3.0.0');
  });

  it('matches the AsyncAPI document that the schemas generate', () => {
    expect(committed('asyncapi.json')).toEqual(JSON.parse(JSON.stringify(asyncApiDocument())));
  });

  it('has a message for each frame and event, and a meaning for each close code', () => {
    const document = committed('asyncapi.json');
    const names = Object.keys({ ...clientFrames, ...serverFrames, ...searchEvents }).sort();
    expect(Object.keys(document.components.messages).sort()).toEqual(names);
    const { 'x-close-codes': closes, messages } = document.channels.search;
    expect(Object.keys(messages).sort()).toEqual(names);
    expect(Object.keys(closes).map(Number)).toEqual(contract.allCloseCodes);
    for (const means of Object.values(closes)) expect(means).not.toBe('');
  });

  it('contains everything that the AsyncAPI document refers to', () => {
    expect(danglingReferences(committed('asyncapi.json'))).toEqual([]);
  });
});

describe('generate.ts --check', () => {
  const check = (folder: string) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', `${folder}/protocol/generate.ts`, '--check'], {
      cwd: root,
    });

  it('accepts the committed documents as up to date', async () => {
    await expect(check(root)).resolves.toMatchObject({ stderr: '' });
  });

  it('fails the check with one sentence if a document is out of date', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'citewire-'));
    try {
      cpSync(join(root, 'protocol'), join(copy, 'protocol'), { recursive: true });
      cpSync(join(root, 'package.json'), join(copy, 'package.json'));
      symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
      writeFileSync(join(copy, 'protocol/openapi.json'), '{}\n');
      const stderr = 'protocol/openapi.json: out of date; run "npm run build" and commit the result.\n';
      await expect(check(copy)).rejects.toMatchObject({ code: 1, stderr });
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});

describe('the examples', () => {
  const position = contract.LogPosition.shape;
  const samples: [string, { parse(value: unknown): unknown }, unknown][] = [
    ...Object.entries(clientFrames).map(([name, schema]) => row(name, schema, clientFrameExamples)),
    ...Object.entries(serverFrames).map(([name, schema]) => row(name, schema, serverFrameExamples)),
    ...Object.entries(searchEvents).map(([name, schema]) => row(name, schema.extend(position).strict(), eventExamples)),
    ...Object.keys(resultExamples).map((name) => row(name, schemaNamed(name), resultExamples)),
    ...Object.keys(errorExamples).map((name) => row(name, schemaNamed(name), errorExamples)),
    ...Object.keys(requestExamples).map((name) => row(name, contract.SearchRequest, requestExamples)),
  ];

  it.each(samples)('gives an example that fits its schema: %s', (_, schema, sample) => {
    expect(() => schema.parse(sample)).not.toThrow();
  });

  it('gives examples of citations whose offsets are right', () => {
    const { response: text } = resultExamples.PageContents;
    const { answer, citations } = resultExamples.TextResult;
    for (const citation of citations) {
      expect(text.slice(citation.source_start, citation.source_end)).toBe(citation.quote);
      expect(answer.slice(citation.start, citation.end)).not.toMatch(/^$|\[\d+\]/);
    }
  });
});

function row(
  name: string,
  schema: { parse(value: unknown): unknown },
  examples: Readonly<Record<string, unknown>>,
): [string, { parse(value: unknown): unknown }, unknown] {
  return [name, schema, examples[name]];
}

function schemaNamed(name: string): { parse(value: unknown): unknown } {
  return (contract as unknown as Record<string, { parse(value: unknown): unknown }>)[name]!;
}

/** Every `$ref` of the document whose target it does not contain. */
function danglingReferences(document: unknown): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const ref = (node as { $ref?: unknown }).$ref;
    if (typeof ref === 'string') {
      const target = contract.pointerKeys(ref.slice(1)).reduce<unknown>((at, key) => (at as never)?.[key], document);
      if (target === undefined) found.push(ref);
    }
    Object.values(node).forEach(visit);
  };
  visit(document);
  return found;
}
