/**
 * Replays the Dockerfile without a container runtime, as root on Linux: `node --import tsx tools/replay-dockerfile.ts [base]`. Each
 * stage is a folder that is entered with chroot. The image is stood in for by `base`, a Debian made by `debootstrap
 * --variant=minbase`, which is downloaded if none is given, with Node and npm in it. The last stage is run as the image would be:
 * by its user, with a root that cannot be written to; it has to be healthy, answer a search, and stop on its signal.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';
import { root } from './package/checkout-manifest.ts';
import { type Instruction, isInContext, readDockerfile, readPairs, type Stage } from './package/dockerfile.ts';
import { nodeOf } from './package/node-binary.ts';
import { searchAt } from './package/try-install.ts';

type Environment = Record<string, string>;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const sh = (command: string, ...args: string[]) =>
  execFileSync('sh', ['-ec', command, 'sh', ...args], { stdio: 'inherit' });
const ignore = readFileSync(join(root, '.dockerignore'), 'utf8');
const work = mkdtempSync(join(tmpdir(), 'citewire-image-'));
/** Of the machine, for npm in the stages. */
const certificates = '/etc/ssl/certs/ca-certificates.crt';

try {
  const stages = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const base = makeBase(stages[0]!.image, process.argv[2]);
  const built = new Map<string, string>();
  let env: Environment = {};
  let folder = '';
  for (const [number, stage] of stages.entries()) {
    const started = performance.now();
    folder = join(work, `stage-${number}`);
    sh('cp -a "$1" "$2"', base, folder);
    env = replay(stage, folder, built);
    built.set(stage.name ?? 'image', folder);
    say(`stage ${stage.name ?? 'image'}: ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  }
  sh('du -sh "$1/app"', folder);
  await runImage(stages.at(-1)!, folder, env);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** What the image `node:<version>-<release>-slim` has: Debian, Node and npm. */
function makeBase(image: string, given: string | undefined): string {
  const [, version, release] = /^node:(\d+)-(\w+)-slim$/.exec(image)!;
  const base = join(work, 'base');
  if (given !== undefined) sh('cp -a "$1" "$2"', given, base);
  else sh('debootstrap --variant=minbase "$1" "$2" http://deb.debian.org/debian > /dev/null', release!, base);
  cpSync(nodeOf(version!), join(base, 'usr/local/bin/node'));
  const npm = join(execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim(), 'npm');
  cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  sh('ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"; cp /etc/resolv.conf "$1/etc/"', base);
  if (existsSync(certificates)) {
    mkdirSync(dirname(base + certificates), { recursive: true });
    cpSync(certificates, base + certificates);
  }
  return base;
}

/** Returns the environment at the end of the stage. */
function replay({ instructions }: Stage, folder: string, built: ReadonlyMap<string, string>): Environment {
  const env: Environment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
  let directory = '/';
  for (const each of instructions) {
    const { name, text } = each;
    if (name === 'WORKDIR') {
      directory = text;
      mkdirSync(folder + directory, { recursive: true });
    } else if (name === 'ENV' || name === 'ARG') {
      for (const [key, value] of Object.entries(readPairs(text))) env[key] = value.replace('$PATH', env.PATH!);
    } else if (name === 'RUN') {
      const args = [
        folder,
        '/usr/bin/env',
        '-i',
        '-C',
        directory,
        ...pairs({ ...env, npm_config_cafile: certificates }),
      ];
      const mount = ['-m', 'sh', '-ec', 'mount -t proc proc "$0/proc"; exec chroot "$0" "$@"'];
      execFileSync('unshare', [...mount, ...args, '/bin/sh', '-c', text], { stdio: ['ignore', 'ignore', 'inherit'] });
    } else if (name === 'COPY') copy(each, folder, directory, built);
  }
  return env;
}

function copy(
  { flags, words }: Instruction,
  folder: string,
  directory: string,
  built: ReadonlyMap<string, string>,
): void {
  const to = join(folder, posix.resolve(directory, words.at(-1)!));
  const from = flags.from === undefined ? root : built.get(flags.from)!;
  for (const word of words.slice(0, -1)) {
    const source = join(from, word);
    if (flags.from !== undefined)
      sh(
        existsSync(join(to)) || words.length > 2 || word.endsWith('/')
          ? 'mkdir -p "$2"; if [ -d "$1" ]; then cp -a "$1/." "$2"; else cp -a "$1" "$2"; fi'
          : 'cp -a "$1" "$2"',
        source,
        to,
      );
    else if (word === '.') copyContext(to);
    else cpSync(source, words.at(-1)!.endsWith('/') ? join(to, basename(word)) : to, { recursive: true });
  }
  if (flags.chown !== undefined) sh('chown -R "$1" "$2"', flags.chown, to);
}

/** Every file that .dockerignore lets through. */
function copyContext(to: string): void {
  for (const name of readdirSync(root)) {
    cpSync(join(root, name), join(to, name), {
      recursive: true,
      filter: (path) => {
        const inContext = path.slice(root.length);
        // A folder of which only some files are sent.
        return isInContext(inContext, ignore) || ignore.includes(`\n!${inContext}/`);
      },
    });
  }
}

async function runImage(stage: Stage, folder: string, env: Environment): Promise<void> {
  const last = (name: string) => stage.instructions.findLast((each) => each.name === name)!;
  const words = (name: string) => JSON.parse(/\[.*\]/.exec(last(name).text)![0]) as string[];
  const [, uid, gid] = new RegExp(`^${last('USER').text}:x:(\\d+):(\\d+)`, 'm').exec(
    readFileSync(join(folder, 'etc/passwd'), 'utf8'),
  )!;
  // On this machine, not in a network of its own.
  const all = pairs({
    ...env,
    HOST: '127.0.0.1',
    PORT: `${await freePort()}`,
    MEDIAWIKI_URL: 'off',
    LOG_LEVEL: 'debug',
  });
  const chroot = [
    'chroot',
    `--userspec=${uid}:${gid}`,
    folder,
    '/usr/bin/env',
    '-i',
    '-C',
    last('WORKDIR').text,
    ...all,
  ];
  const mounts = `mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"; mount --bind "$0.data" "$0${last('VOLUME').text}"
    mount -t tmpfs tmpfs "$0/tmp"; mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"; exec "$@"`;
  sh('cp -a "$1" "$2"', join(folder, last('VOLUME').text), `${folder}.data`);
  const command = [...chroot, ...words('ENTRYPOINT'), ...words('CMD')];
  const server = spawn('unshare', ['-m', 'sh', '-ec', mounts, folder, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (printed += chunk));
  try {
    const { status, citations } = await searchAt(server);
    say(`the image answers a search: ${status}, ${citations.length} citations`);
    execFileSync(chroot[0]!, [...chroot.slice(1), ...words('HEALTHCHECK')]);
    say('the image is healthy');
    say(printed.split('\n').find((line) => /native server/.test(line)) ?? 'expected a line on the native server');
  } finally {
    const ended = once(server, 'exit');
    server.kill(last('STOPSIGNAL').text as NodeJS.Signals);
    say(`the image ends with code ${(await ended)[0]}`);
  }
}

function pairs(env: Environment): string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
