/** What runs Citewire elsewhere fits this checkout: the files that are copied exist, the settings are ours. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settingNames } from '../../src/base/config.ts';
import { isInContext, readDockerfile, readPairs } from '../../tools/package/dockerfile.ts';
import { startTestApp } from '../support/start-app.ts';

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(inRoot(path), 'utf8');
/** Read by Node, the shell and Docker, not by us. */
const notOurs = ['NODE_ENV', 'PATH'];
const isSetting = (name: string) => settingNames.includes(name) || notOurs.includes(name);
/** How long running searches may take to finish; see src/app/app.ts. */
const graceSeconds = 30;

describe('the Dockerfile', () => {
  const stages = readDockerfile(read('Dockerfile'));
  const all = stages.flatMap(({ instructions }) => instructions);
  const last = (name: string) => stages.at(-1)!.instructions.findLast((each) => each.name === name);
  const ignore = read('.dockerignore');

  it('copies from the context only what exists and is sent, and otherwise from an earlier stage', () => {
    const copies = all.filter(({ name }) => name === 'COPY');
    expect(copies.length).toBeGreaterThan(5);
    for (const { flags, words } of copies) {
      if (flags.from !== undefined) expect(stages.map(({ name }) => name)).toContain(flags.from);
      else {
        for (const path of words.slice(0, -1).filter((each) => each !== '.')) {
          expect(existsSync(inRoot(path)), path).toBe(true);
          expect(isInContext(path, ignore), path).toBe(true);
        }
      }
    }
  });

  it('is sent what npm pack reads, and nothing that is only here', () => {
    const { files } = JSON.parse(read('package.json'));
    const sent = [
      'src/cli.ts',
      'protocol/openapi.ts',
      'docs/settings.md',
      'tools/build.ts',
      'tsconfig.build.json',
      'LICENSE',
    ];
    for (const path of [...sent, ...files.filter((each: string) => !/dist|\*/.test(each))]) {
      expect(isInContext(path, ignore), path).toBe(true);
    }
    for (const path of ['node_modules/zod', '.git/config', 'data/citewire.db', 'test/package', 'ops/.env', 'dist/x']) {
      expect(isInContext(path, ignore), path).toBe(false);
    }
    const named = ignore.split('\n').filter((line) => line.startsWith('!'));
    expect(named.filter((line) => !existsSync(inRoot(line.slice(1))))).toEqual([]);
  });

  it('sets only settings, listens on all addresses, and keeps its data in the volume', () => {
    const set = Object.assign({}, ...all.filter(({ name }) => name === 'ENV').map(({ text }) => readPairs(text)));
    expect(Object.keys(set).filter((name) => !isSetting(name))).toEqual([]);
    expect(set).toMatchObject({ HOST: '0.0.0.0', DATA_DIR: last('VOLUME')?.text });
    expect(last('EXPOSE')?.text).toBe(set.PORT);
  });

  it('runs as a user of its own, on a Node and a C library that the native server loads on', () => {
    expect(last('USER')?.text).toBe('citewire');
    expect(last('STOPSIGNAL')?.text).toBe('SIGTERM');
    expect([...new Set(stages.map(({ image }) => image))]).toEqual(['node:24-trixie-slim']);
  });

  it('starts what the package has as its command', () => {
    const { bin } = JSON.parse(read('package.json'));
    expect(all.map(({ text }) => text).join('\n')).toContain(`../${bin.citewire} bin/citewire`);
    expect(last('ENTRYPOINT')?.text).toBe('["citewire"]');
  });

  it('checks the health of a server with a program that tells a healthy one from none', async () => {
    const { 1: program } = JSON.parse(/\[.*\]/.exec(last('HEALTHCHECK')!.text)![0]) as string[];
    expect(program).toBe('/app/ops/health-check.js');
    const codeAt = async (port: string) => {
      const child = spawn(process.execPath, [inRoot('ops/health-check.js')], { env: { PORT: port } });
      return (await once(child, 'exit'))[0] as number;
    };
    let port: string;
    {
      await using app = await startTestApp({ MEDIAWIKI_URL: 'off' });
      port = new URL(app.url).port;
      expect(await codeAt(port)).toBe(0);
    }
    expect(await codeAt(port)).toBe(1);
  });
});

describe('the compose file', () => {
  const { services, volumes } = parse(read('ops/compose.yml'));
  const { citewire, ...others } = services;
  const example = read('ops/example.env');
  const text = read('ops/compose.yml');

  it('sets only settings, each from the variable of the same name', () => {
    const set = Object.entries<string>(citewire.environment);
    expect(set.filter(([name, value]) => !settingNames.includes(name) || value !== `\${${name}:-}`)).toEqual([]);
    expect(set.length).toBeGreaterThan(8);
  });

  it('starts Citewire alone, and the others only with their profiles', () => {
    expect(citewire.profiles).toBeUndefined();
    for (const [name, { profiles }] of Object.entries<{ profiles?: string[] }>(others)) {
      expect(profiles, name).toHaveLength(1);
    }
    const inProfiles = Object.values<{ profiles: string[] }>(others).flatMap(({ profiles }) => profiles);
    const named = /^#COMPOSE_PROFILES=(.*)$/m.exec(example)![1]!.split(',');
    expect([...new Set(inProfiles)].sort()).toEqual(named.sort());
  });

  it('waits for services that exist, and for those of profiles only if they are started', () => {
    for (const [name, { required }] of Object.entries<{ required: boolean }>(citewire.depends_on)) {
      expect(Object.keys(others), name).toContain(name);
      expect(required, name).toBe(false);
    }
  });

  it('mounts volumes that it declares and files that exist', () => {
    const mounts = Object.values<{ volumes?: string[] }>(services).flatMap((service) => service.volumes ?? []);
    for (const source of mounts.map((mount) => mount.split(':')[0]!)) {
      if (source.startsWith('.')) expect(existsSync(inRoot(`ops/${source}`)), source).toBe(true);
      else expect(Object.keys(volumes), source).toContain(source);
    }
    expect(existsSync(inRoot(`ops/${citewire.build}/Dockerfile`))).toBe(true);
  });

  it('runs Citewire with a read-only root and no capabilities, and lets running searches finish', () => {
    expect(citewire).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(Number.parseInt(citewire.stop_grace_period, 10)).toBeGreaterThan(graceSeconds);
    expect(citewire.ports.every((port: string) => port.startsWith('127.0.0.1:'))).toBe(true);
  });

  it('has an example of settings that it passes on, whose addresses are its services', () => {
    const lines = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)];
    expect(lines.length).toBeGreaterThan(6);
    const used = ['COMPOSE_PROFILES', ...[...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!)];
    expect(lines.map(([, name]) => name!).filter((name) => !used.includes(name))).toEqual([]);
    const hosts = lines.flatMap(([, name, value]) => {
      return /^\w+:\/\//.test(value!) && name !== 'PUBLIC_URL' ? [new URL(value!).hostname] : [];
    });
    expect(hosts.filter((host) => !(host in others))).toEqual([]);
  });

  it('has a SearXNG that answers with JSON and does not limit the server', () => {
    const { search, server } = parse(read('ops/searxng.yml'));
    expect(search.formats).toEqual(['html', 'json']);
    expect(server.limiter).toBe(false);
  });
});

describe('the systemd unit', () => {
  const unit = read('ops/citewire.service');
  const values = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!);

  it('sets only settings', () => {
    const names = values('Environment').map((pair) => pair.split('=')[0]!);
    expect(names).toContain('DATA_DIR');
    expect(names.filter((name) => !isSetting(name))).toEqual([]);
  });

  it('keeps the data where the service may write, and lets running searches finish', () => {
    expect(values('Environment')).toContain(`DATA_DIR=/var/lib/${values('StateDirectory')[0]}`);
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(graceSeconds);
  });

  const systemd = spawnSync('systemd-analyze', ['--version']).error === undefined;
  it.runIf(systemd)('is one that systemd accepts, and that is exposed little', () => {
    execFileSync('systemd-analyze', ['verify', inRoot('ops/citewire.service')], { stdio: 'pipe' });
    const options = ['security', '--offline=true', '--threshold=20', inRoot('ops/citewire.service')];
    expect(execFileSync('systemd-analyze', options, { encoding: 'utf8' })).toContain('OK');
  });
});
