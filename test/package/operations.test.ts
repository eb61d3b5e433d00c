/** What runs Citewire elsewhere fits this checkout: the files that are copied exist, the settings are ours. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { sourceLimits } from '../../protocol/index.ts';
import { settingNames } from '../../src/base/config.ts';
import { isInContext, readDockerfile, readPairs } from '../../tools/package/dockerfile.ts';
import { startTestApp } from '../support/start-app.ts';

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string) => readFileSync(inRoot(path), 'utf8');
/** Read by Node, the shell and Docker, not by us. */
const allocation = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_', 'NODE_OPTIONS'];
const notOurs = ['NODE_ENV', 'PATH', ...allocation];
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

/** What the mounts, the health check and the published ports of a container rely on. */
const placeInImage = { HOST: '0.0.0.0', PORT: '8080', DATA_DIR: '/data' };

describe('the compose file', () => {
  const { services, volumes } = parse(read('ops/compose.yml'));
  const { citewire, ...others } = services;
  const example = read('ops/example.env');
  const text = read('ops/compose.yml');

  it('takes every setting from the file of the example, but for those that the image and the mounts rely on', () => {
    expect(citewire.env_file).toEqual([{ path: '.env', required: false }]);
    expect(read('docs/install.md')).toContain('cp ops/example.env ops/.env');
    expect(citewire.environment).toEqual(placeInImage);
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

  it('has an example of settings, whose addresses are its services', () => {
    const lines = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)];
    expect(lines.length).toBeGreaterThan(6);
    const used = ['COMPOSE_PROFILES', ...settingNames, ...[...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!)];
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

  /** Of `NAME=value`, in quotes if the value has spaces. */
  const environment = Object.fromEntries(
    values('Environment').map((pair) => /^"?(\w+)=(.*?)"?$/.exec(pair)!.slice(1) as [string, string]),
  );

  it('sets only settings', () => {
    expect(environment).toHaveProperty('DATA_DIR');
    expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([]);
  });

  it('allocates as the image does', () => {
    const all = readDockerfile(read('Dockerfile')).flatMap(({ instructions }) => instructions);
    const image = Object.assign({}, ...all.filter(({ name }) => name === 'ENV').map(({ text }) => readPairs(text)));
    const allocating = Object.fromEntries(allocation.map((name) => [name, image[name]]));
    expect(Object.values(allocating)).not.toContain(undefined);
    expect(environment).toMatchObject(allocating);
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

describe('the compose file of several servers', () => {
  const { services, volumes } = parse(read('ops/fleet/compose.yml'), { merge: true });
  const servers = Object.entries<typeof services.proxy>(services).filter(([name]) => name.startsWith('citewire'));

  it('sets only settings, with what all servers need in common', () => {
    expect(servers).toHaveLength(3);
    for (const [, { environment, env_file }] of servers) {
      expect(env_file).toEqual([{ path: '.env', required: false }]);
      expect(environment).toMatchObject(placeInImage);
      expect(Object.keys(environment).filter((name) => !settingNames.includes(name))).toEqual([]);
      expect(environment.CORPUS).toBeUndefined();
      expect(new URL(environment.REDIS_URL).hostname in services).toBe(true);
      expect(environment.DATABASE_URL).toMatch(/@postgres\/citewire$/);
      expect(environment.SECRETS_KEY).toMatch(/:\?/);
    }
  });

  it('lets running searches finish, and publishes nothing but the proxy', () => {
    for (const [, server] of servers) {
      expect(Number.parseInt(server.stop_grace_period, 10)).toBeGreaterThan(graceSeconds);
      expect(server).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    }
    const published = Object.keys(services).filter((name) => services[name].ports !== undefined);
    expect(published).toEqual(['proxy']);
  });

  it('leads the proxy to every server, and asks whether each is ready', () => {
    const proxy = read('ops/fleet/Caddyfile');
    for (const [name] of servers) expect(proxy).toContain(`${name}:8080`);
    expect(proxy).toContain('health_uri /readyz?only=server\n');
    expect(proxy).toContain('flush_interval -1');
  });

  it('runs a Redis that evicts nothing, and mounts what exists', () => {
    expect(services.redis.command.join(' ')).toContain('--maxmemory-policy noeviction');
    const mounts = Object.values<{ volumes?: string[] }>(services).flatMap((service) => service.volumes ?? []);
    for (const source of mounts.map((mount) => mount.split(':')[0]!)) {
      if (source.startsWith('.')) expect(existsSync(inRoot(`ops/fleet/${source}`)), source).toBe(true);
      else expect(Object.keys(volumes), source).toContain(source);
    }
  });

  it('has an example of the settings that it reads', () => {
    const inFile = [...read('ops/fleet/compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    const used = [...inFile, ...settingNames];
    const named = [...read('ops/fleet/example.env').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !used.includes(name))).toEqual([]);
  });
});

describe('the Kubernetes manifests', () => {
  // biome-ignore lint/suspicious/noExplicitAny: objects of a dozen kinds, read as they are.
  type Manifest = any;
  const kustomization: Manifest = parse(read('ops/kubernetes/kustomization.yaml'));
  const objects: Manifest[] = kustomization.resources.flatMap((path: string) =>
    parseAllDocuments(read(`ops/kubernetes/${path}`)).map((document) => document.toJS()),
  );
  const find = (kind: string, name: string): Manifest =>
    objects.find((each) => each.kind === kind && each.metadata.name === name);
  const { spec } = find('Deployment', 'citewire');
  const pod = spec.template.spec;
  const [container] = pod.containers;

  it('sets only settings', () => {
    const named = [...read('ops/kubernetes/example.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!);
    const set = [...named, ...container.env.map(({ name }: { name: string }) => name)];
    expect(set).toContain('DATABASE_URL');
    expect(set.filter((name) => !settingNames.includes(name))).toEqual(['POSTGRES_PASSWORD']);
    expect(kustomization.secretGenerator).toEqual([{ name: 'citewire', envs: ['citewire.env'] }]);
  });

  it('leads every service to pods that exist, by ports that they have', () => {
    const workloads = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
    expect(workloads.map(({ metadata }) => metadata.name).sort()).toEqual(['citewire', 'postgres', 'redis']);
    for (const workload of workloads) {
      const { matchLabels } = workload.spec.selector;
      expect(workload.spec.template.metadata.labels).toMatchObject(matchLabels);
      const service = find('Service', workload.metadata.name);
      expect(service.spec.selector).toEqual(matchLabels);
      const ports = workload.spec.template.spec.containers[0].ports.map(({ name }: { name: string }) => name);
      for (const { targetPort } of service.spec.ports) expect(ports).toContain(targetPort);
    }
    const { rules } = find('Ingress', 'citewire').spec;
    const { service } = rules[0].http.paths[0].backend;
    expect(find('Service', service.name).spec.ports.map(({ name }: { name: string }) => name)).toContain(
      service.port.name,
    );
  });

  it('lets a file of the largest size that can be uploaded through', () => {
    const { annotations } = find('Ingress', 'citewire').metadata;
    const [, megabytes] = /^(\d+)m$/.exec(annotations['nginx.ingress.kubernetes.io/proxy-body-size'])!;
    expect(Number(megabytes) * 2 ** 20).toBeGreaterThan(sourceLimits.upload_bytes);
  });

  it('lets running searches finish after nobody sends new calls, and never has fewer servers than before', () => {
    const pause = Number(container.lifecycle.preStop.exec.command[1]);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(graceSeconds + pause);
    expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(container.readinessProbe.httpGet.path).toBe('/readyz?only=server');
    expect(pause).toBeGreaterThan(container.readinessProbe.periodSeconds);
    expect(container.livenessProbe.httpGet.path).toBe('/healthz');
  });

  it('runs every container without root and without capabilities', () => {
    for (const workload of objects.filter((each) => each.spec?.template !== undefined)) {
      const of = workload.spec.template.spec;
      expect(of.securityContext, workload.metadata.name).toMatchObject({ runAsNonRoot: true });
      expect(of.automountServiceAccountToken).toBe(false);
      for (const each of of.containers) {
        expect(each.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        });
        expect(Object.keys(each.resources)).toEqual(['requests', 'limits']);
      }
    }
    expect(pod.securityContext.runAsUser).toBe(Number(/useradd --uid (\d+)/.exec(read('Dockerfile'))![1]));
  });

  it('mounts a volume wherever the server writes', () => {
    const paths = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    expect(paths.sort()).toEqual(['/data', '/tmp']);
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
  });
});
