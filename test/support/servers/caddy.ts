/** A real Caddy on a free port, with the configuration that ops/fleet ships. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { findProgram } from './programs.ts';

export interface Caddy {
  readonly url: string;
  stop(): Promise<void>;
}

const config = fileURLToPath(new URL('../../../ops/fleet/Caddyfile', import.meta.url));

/** For `describe.skipIf`: whether there is a Caddy to start. */
export const hasCaddy = findProgram('caddy') !== undefined;

/** Resolves when it accepts connections. `servers` are their host:port; they need not run. Throws if it is not installed. */
export async function startCaddy(servers: readonly string[]): Promise<Caddy> {
  const program = findProgram('caddy');
  if (program === undefined) throw new Error('expected caddy on the PATH; found none');
  const home = mkdtempSync(join(tmpdir(), 'citewire-caddy-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn(program, ['run', '--adapter', 'caddyfile', '--config', config], {
    env: { ...env, SITE_ADDRESS: url, SERVERS: servers.join(' ') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (bytes) => {
    log += bytes;
  });
  const ended = once(child, 'exit');
  for (;;) {
    if (child.exitCode !== null) throw new Error(`caddy ended: ${log}`);
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
    await sleep(50);
  }
  return {
    url,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
