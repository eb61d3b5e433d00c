/** What commands show at a terminal: notes of a search apart from its answer, and lines that fit. */
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/processes/run-cli.ts';
import { hasTerminal, openTerminal } from '../support/processes/terminal.ts';
import { testPages } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const env = { DATA_DIR: temporaryFolder(), MEDIAWIKI_URL: 'off' };
const question = 'Who designed the Heron Point Lighthouse?';

describe.skipIf(!hasTerminal)('citewire ask at a terminal', () => {
  beforeAll(async () => {
    await runCli(['index', testPages], env);
  });

  it('keeps the answer apart from the notes, which are rounded', async () => {
    const shown = await openTerminal(['ask', question], env).ended();
    expect(shown).toContain('\x1b[90m');
    const lines = stripVTControlCharacters(shown).replaceAll('\r', '').split('\n');
    const at = lines.findIndex((line) => /Ingrid Solvay.* \[\d\]$/.test(line));
    expect(at).toBeGreaterThan(0);
    expect(lines.slice(at + 1, at + 6)).toEqual([
      '',
      expect.stringMatching(/^· \d+ characters, 1 citation \(\d+ ms\)$/),
      expect.stringMatching(/^· 1 quote found in its source, 0 citation markers dropped \(\d+ ms\)$/),
      '',
      expect.stringMatching(/^\[1\] /),
    ]);
  });

  it('has no colours where NO_COLOR is set', async () => {
    const shown = await openTerminal(['ask', question], { ...env, NO_COLOR: '1' }).ended();
    expect(shown).toContain('· 1 quote found');
    expect(shown).not.toContain('\x1b[');
  });
});

describe.skipIf(!hasTerminal)('citewire doctor at a terminal', () => {
  it('wraps its sentences below one another, at the width of the terminal', async () => {
    const shown = await openTerminal(['doctor'], { ...env, NO_COLOR: '1', PORT: '0' }).ended();
    const lines = shown.replaceAll('\r', '').split('\n');
    expect(lines.join('\n')).toMatch(/^– {8}certificate {2}TLS_CERT is not set: the server speaks plain HTTP\.$/m);
    const wrapped = lines.filter((line) => /^ {22}[^ →]/.test(line));
    expect(wrapped.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });
});
