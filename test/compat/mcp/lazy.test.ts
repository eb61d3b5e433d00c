/** A server without agents does not load the protocol's library: nothing that it imports at its start does. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** All that a file imports when it is loaded, and what that imports: files as paths, packages by their names. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!existsSync(file)) return seen;
  const imports = /^(?:import|export) (?!type )[^;]*?from '([^']+)';|^import '([^']+)';/gm;
  for (const [, from, alone] of readFileSync(file, 'utf8').matchAll(imports)) {
    const name = from ?? alone ?? '';
    loadedWith(name.startsWith('.') ? join(dirname(file), name) : name, seen);
  }
  return seen;
}

describe('the library of the protocol', () => {
  const library = '@modelcontextprotocol/server';

  it('is not loaded at the start of a server, nor with the command line', () => {
    for (const start of ['src/app/serve.ts', 'src/cli.ts']) {
      const loaded = loadedWith(join(root, start));
      expect([...loaded].filter((name) => name.startsWith('@modelcontextprotocol'))).toEqual([]);
    }
    const ofServer = loadedWith(join(root, 'src/app/serve.ts'));
    expect(ofServer.size).toBeGreaterThan(100);
    expect(ofServer).toContain(join(root, 'src/compat/mcp/http.ts'));
  });

  it('is loaded with the endpoint', () => {
    expect(loadedWith(join(root, 'src/compat/mcp/endpoint.ts'))).toContain(library);
  });
});
