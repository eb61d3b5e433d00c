/** What a new user sees at a terminal after starting the server, and scripts do not. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { firstScreen } from '../../src/app/first-screen.ts';
import { readConfig } from '../../src/base/config.ts';
import { startServe } from '../support/processes/start-process.ts';
import { hasTerminal, openTerminal } from '../support/processes/terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const settings = () => ({ DATA_DIR: temporaryFolder(), PORT: '0', MEDIAWIKI_URL: 'off' });

describe.skipIf(!hasTerminal)('at a terminal', () => {
  it('shows one screen with an address, a key and a link that work, what answers, and what to try next', async () => {
    const env = settings();
    const terminal = openTerminal(['serve'], env);
    const text = await terminal.until(/doctor/);
    // Where the native server does not load, a line of the log says so first.
    const lines = stripVTControlCharacters(text).replaceAll('\r', '').split('\n');
    const screen = lines.filter((line) => !/^\d\d:\d\d:\d\d /.test(line)).join('\n');
    expect(screen.split('\n').length).toBeLessThanOrEqual(24);
    expect(screen).toMatch(/^\n {2}Citewire \d+\.\d+\.\d+\n/);
    expect(screen).toContain('No model: quotes only');
    expect(screen.match(/^ {2}[123] {2}\S/gm)).toHaveLength(3);
    const url = /Address +(\S+)/.exec(screen)![1]!;
    const key = /Key +(cw_\S+)/.exec(screen)![1]!;
    expect((await fetch(`${url}/v1/search`, { headers: { 'x-api-key': key } })).status).toBe(200);
    expect(screen).toContain(`${url}/dashboard/sign-in#`);
    expect(text).toContain('\x1b[');
    await terminal.interrupt();
    expect(stripVTControlCharacters(terminal.text())).toMatch(/\d\d:\d\d:\d\d info {2}stopping: .* signal=SIGINT/);

    const again = openTerminal(['serve'], {
      ...env,
      NO_COLOR: '1',
      MODEL: 'small',
      OPENAI_BASE_URL: 'http://127.0.0.1:9',
    });
    const second = await again.until(/doctor/);
    expect(second).toContain('small, and quotes only if it fails');
    expect(second).toContain('shown when it was created');
    expect(second).toContain('keys create --account acc_development');
    expect(second).not.toContain('--plan');
    expect(second).not.toContain('\x1b[');
    await again.interrupt();
  });
});

describe('the first screen of a server that listens on every address', () => {
  it.each(['http://0.0.0.0:8080', 'http://[::]:8080'])('has one for %s that a browser can open', (url) => {
    const about = { url, key: 'cw_x', account: 'a', link: undefined, example: 'Why?', hasColour: false };
    const screen = firstScreen({ ...about, config: readConfig({}) });
    expect(screen).toContain('http://localhost:8080\n           and every other address of this machine\n');
    expect(screen).not.toContain(url);
  });
});

describe('the first screen of a server with a wiki', () => {
  const screenOf = (settings: Record<string, string>) => {
    const about = { url: 'http://127.0.0.1:8080', key: 'cw_x', account: 'a', link: undefined, example: 'Why?' };
    return firstScreen({ ...about, hasColour: false, config: readConfig(settings) });
  };

  it('names the host of the one in the settings', () => {
    const screen = screenOf({ MEDIAWIKI_URL: 'https://wiki.example.org/w' });
    expect(screen).toContain('from the index, wiki.example.org\n');
    expect(screen).not.toContain('Wikipedia');
  });

  it('names Wikipedia where there is none in the settings, and nothing where it is off', () => {
    expect(screenOf({})).toContain('from the index, Wikipedia where it is reachable\n');
    expect(screenOf({ MEDIAWIKI_URL: 'off' })).toContain('from the index\n');
  });
});

describe.skipIf(process.platform !== 'linux')('serve --open', () => {
  it('opens a browser with a link that signs it in, beside the one that it shows', async () => {
    const folder = temporaryFolder();
    const opened = join(folder, 'opened');
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`, { mode: 0o755 });
    const env = { ...settings(), PATH: `${folder}:${process.env.PATH}` };
    const { child, listening, ended } = startServe(env, ['--open']);
    const { url } = await listening;
    await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toContain(`${url}/dashboard/sign-in#`);
    const link = readFileSync(opened, 'utf8').split('#')[1];
    const signedIn = await fetch(`${url}/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ link }),
    });
    expect(signedIn.status).toBe(200);
    child.kill('SIGTERM');
    const { out } = await ended;
    expect(out).toContain('/dashboard/sign-in#');
    expect(out).not.toContain(link);
  });

  it('says so where there is none, and serves', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const env = { ...settings(), PATH: `${folder}:${process.env.PATH}` };
    const { child, listening, ended } = startServe(env, ['--open']);
    const { url } = await listening;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await new Promise<void>((resolve) => {
      child.stderr!.on('data', (bytes) => String(bytes).includes('no browser could be opened') && resolve());
      setTimeout(resolve, 2_000);
    });
    child.kill('SIGTERM');
    expect((await ended).err).toContain('no browser could be opened');
  });
});

describe('elsewhere', () => {
  it('prints a sign-in link at the first start only, and says then how to get one', async () => {
    const env = settings();
    const printed: string[] = [];
    for (const _ of [1, 2]) {
      const { child, listening, ended } = startServe(env);
      await listening;
      child.kill('SIGTERM');
      printed.push((await ended).out);
    }
    expect(printed[0]).toMatch(/\/dashboard\/sign-in#[\w-]{43}\n/);
    expect(printed[1]).not.toContain('sign-in#');
    expect(printed[1]).toMatch(/sign-in link to the dashboard: .*login --account acc_development\n/);
    expect(printed[1]).toContain('keys create --account acc_development');
  });

  it('prints plain lines on standard output and JSON on standard error', async () => {
    const { child, listening, ended } = startServe({ ...settings(), LOG_LEVEL: 'info' });
    const { key } = await listening;
    child.kill('SIGTERM');
    const { out, err } = await ended;
    expect(out).toMatch(/^Citewire is listening on http/);
    expect(out).not.toContain('Try next');
    const lines = err.trim().split('\n');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg');
    expect(err).not.toContain(key);
  });

  it('logs short lines where LOG_FORMAT is pretty', async () => {
    const { child, listening, ended } = startServe({ ...settings(), LOG_LEVEL: 'info', LOG_FORMAT: 'pretty' });
    await listening;
    child.kill('SIGTERM');
    const { err } = await ended;
    expect(err).toMatch(/^\d\d:\d\d:\d\d info {2}stopping: .* signal=SIGTERM$/m);
    expect(err).not.toContain('\x1b[');
  });
});
