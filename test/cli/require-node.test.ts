/** An old Node is refused with one sentence, whatever it cannot load. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/processes/run-cli.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');

/** Node as it is, but for what it says its version is. */
const startOn = (version: string) => {
  const code = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  return runCli(['--version'], { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });
};

describe('the version of Node', () => {
  it.each(['12.22.12', '18.20.8', '20.19.9'])('stops the command when it is %s, with one sentence', async (version) => {
    expect(await startOn(version)).toEqual({
      code: 1,
      stdout: '',
      stderr: `citewire: expected Node 20.20 or newer; got ${version}.\n`,
    });
  });

  it.each(['20.20.0', '22.0.0', '30.1.0'])('is accepted when it is %s', async (version) => {
    expect((await startOn(version)).stderr).not.toContain('expected Node');
  });

  it('is the one that the package names', () => {
    const { engines, bin } = JSON.parse(read('package.json'));
    expect(read('src/require-node.js')).toContain(`const oldest = '${engines.node.replace('>=', '')}';`);
    expect(bin.citewire).toBe('dist/src/app/citewire.js');
  });

  it.each(['tools/start.js', 'src/citewire.js', 'src/require-node.js'])(
    'is checked in %s by code that the first Node with modules can parse',
    async (path) => {
      const asIs = await transform(read(path), { target: 'esnext' });
      expect((await transform(read(path), { target: 'node13.2' })).code).toBe(asIs.code);
      const imports = [...read(path).matchAll(/^import .* from '(.*)';$/gm)].map(([, from]) => from);
      expect(imports.filter((from) => !from?.endsWith('/require-node.js'))).toEqual([]);
    },
  );
});
