/** A server without a collector in its settings loads nothing of telemetry. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readImports } from '../support/read-imports.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files that a file loads when it is loaded, and what these load: no types, nothing imported later. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [specifier, typeOnly] of readImports(text)) {
    const isLater = new RegExp(`import\\(\\s*'${specifier.replaceAll('.', '\\.')}'`).test(text);
    if (typeOnly || isLater || !specifier.startsWith('.')) continue;
    loadedWith(join(dirname(file), specifier), seen);
  }
  return seen;
}

describe('telemetry', () => {
  const of = (file: string) => [...loadedWith(join(root, file))].map((each) => each.slice(root.length));

  it('is not loaded at the start of a server, nor with the command line', () => {
    for (const start of ['src/app/serve.ts', 'src/cli.ts']) {
      expect(of(start).filter((name) => name.startsWith('src/telemetry/'))).toEqual([]);
    }
    expect(of('src/app/serve.ts').length).toBeGreaterThan(100);
    expect(of('src/cli.ts').length).toBeGreaterThan(20);
    expect(of('src/app/serve.ts')).toContain('src/app/parts/open-tracing.ts');
  });

  it('is loaded by what opens it', () => {
    const opener = readFileSync(join(root, 'src/app/parts/open-tracing.ts'), 'utf8');
    expect(opener).toMatch(/await import\('[./]+telemetry\/tracing\.ts'\)/);
    expect(of('src/telemetry/tracing.ts')).toContain('src/telemetry/exporter.ts');
  });
});
