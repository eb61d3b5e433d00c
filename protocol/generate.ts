/**
 * Writes openapi.json and asyncapi.json next to this file. `--check` writes nothing, and fails if either is out of
 * date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { asyncApiDocument } from './asyncapi.ts';
import { openApiDocument } from './openapi.ts';

const documents = { 'openapi.json': openApiDocument, 'asyncapi.json': asyncApiDocument };
const check = process.argv.includes('--check');
const stale: string[] = [];

for (const [name, build] of Object.entries(documents)) {
  const file = new URL(name, import.meta.url);
  const text = `${JSON.stringify(build(), null, 2)}\n`;
  if (!check) writeFileSync(file, text);
  else if (readIfThere(file) !== text) stale.push(`protocol/${name}`);
}
if (stale.length > 0) {
  console.error(`${stale.join(', ')}: out of date; run "npm run build" and commit the result.`);
  process.exitCode = 1;
}

function readIfThere(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
