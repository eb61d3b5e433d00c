/** TLS by the server itself, over real sockets: what clients reach, and a certificate that is renewed while they are connected. */
import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { loadUws } from '../../src/transport/uws/load-uws.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { hasOpenssl, makeCertificate, type TestCertificate } from '../support/servers/certificates.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const native = await loadUws().then(
  () => ['uws'],
  () => [],
);
const folder = temporaryFolder();
const [first, second] = hasOpenssl ? ['first', 'second'].map((name) => makeCertificate(folder, name)) : [];

/** Two files in place of which others are put. */
function placed(name: string, { certFile, keyFile }: TestCertificate) {
  const files = { certFile: join(folder, `${name}-placed.crt`), keyFile: join(folder, `${name}-placed.key`) };
  copyFileSync(certFile, files.certFile);
  copyFileSync(keyFile, files.keyFile);
  return { ...files, env: { TLS_CERT: files.certFile, TLS_KEY: files.keyFile, LOG_LEVEL: 'info' } };
}

describe.skipIf(!hasOpenssl).each([...native, 'node'])('TLS on the server %s', (TRANSPORT) => {
  it('carries calls, event streams and WebSockets, and nothing without TLS', async () => {
    await using app = await startTestApp({ TRANSPORT, ...placed(`calls-${TRANSPORT}`, first!).env });
    expect(app.url).toMatch(/^https:/);
    const asked = { prompt: 'Who designed the Heron Point Lighthouse?' };
    const json = await call(app, '/v1/search', asked);
    expect([json.status, json.body]).toEqual([200, expect.stringContaining('Ingrid Solvay')]);
    const stream = await call(app, '/v1/search', asked, { accept: 'text/event-stream' });
    expect(stream.body).toContain('event: search.completed');
    const page = await call(app, '/opensearch.xml');
    expect(page.body).toContain(`${app.url}/`);

    const socket = await openSocket(app);
    socket.send(JSON.stringify({ type: 'search.start', ref: '1', request: asked }));
    const types: string[] = [];
    for await (const [frame] of on(socket)) {
      types.push((JSON.parse(String(frame)) as { type: string }).type);
      if (types.at(-1) === 'search.completed') break;
    }
    expect(types).toContain('search.accepted');
    socket.terminate();

    const plain = connectPlain(Number(new URL(app.url).port), '127.0.0.1');
    plain.end('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    plain.on('error', () => {});
    expect(await text(plain).catch(() => '')).not.toContain('200 OK');
    expect(app.faults.filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  it('signs a browser in with a cookie that only TLS carries', async () => {
    await using app = await startTestApp({ TRANSPORT, ...placed(`cookie-${TRANSPORT}`, first!).env });
    const link = await app.signInLink((await app.accounts.listAccounts())[0]!.id);
    expect(link).toMatch(/^https:/);
    const signedIn = await call(app, '/v1/session', { link: link.split('#')[1] }, { origin: app.url });
    expect(signedIn.headers['set-cookie']?.[0]).toMatch(/^__Host-citewire=.*; Secure/);
  });

  it('uses a new certificate for new connections and keeps the open ones, with files and with links to them', async () => {
    const files = placed(`renewed-${TRANSPORT}`, first!);
    await using app = await startTestApp({ TRANSPORT, ...files.env });
    expect(await subjectAt(app)).toBe('first');
    const before = await openSocket(app);

    // The two do not belong together: the old one stays, and the log says why.
    copyFileSync(second!.certFile, files.certFile);
    await expect.poll(() => app.faults.join('')).toContain('the certificate is not renewed');
    expect(app.faults.join('')).toContain('TLS_KEY: expected the key of the certificate');
    expect(await subjectAt(app)).toBe('first');

    copyFileSync(second!.keyFile, files.keyFile);
    await expect.poll(() => subjectAt(app)).toBe('second');
    await expectPong(before);
    const between = await openSocket(app);

    for (const [name, file] of [['certFile', files.certFile] as const, ['keyFile', files.keyFile] as const]) {
      rmSync(file);
      symlinkSync(first![name], file);
    }
    await expect.poll(() => subjectAt(app)).toBe('first');
    await expectPong(before);
    await expectPong(between);
    before.terminate();
    between.terminate();
  });
});

describe.skipIf(!hasOpenssl)('a start with TLS', () => {
  const noKey = join(folder, 'no.key');
  const rows = () =>
    [
      [
        'a certificate without its key',
        { TLS_CERT: first!.certFile },
        'TLS_KEY: expected a file, because TLS_CERT is set',
      ],
      ['a file that does not exist', { TLS_CERT: noKey, TLS_KEY: noKey }, 'TLS_CERT: expected a file that can be read'],
      [
        'a file without a certificate',
        { TLS_CERT: first!.keyFile, TLS_KEY: first!.keyFile },
        'TLS_CERT: expected a cert',
      ],
      [
        'a file without a key',
        { TLS_CERT: first!.certFile, TLS_KEY: first!.certFile },
        'TLS_KEY: expected a private key',
      ],
      ['the key of another', { TLS_CERT: first!.certFile, TLS_KEY: second!.keyFile }, 'is that of another one'],
    ] as const;

  it.each(hasOpenssl ? rows() : [])('ends with one sentence for %s', async (_, env, said) => {
    const { code, stdout, stderr } = await runCli(['serve'], { DATA_DIR: join(folder, 'data'), PORT: '0', ...env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(said);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain(readFileSync(first!.keyFile, 'utf8').split('\n')[1]);
  });

  it('ends with one sentence for a key with a passphrase', async () => {
    const locked = join(folder, 'locked.key');
    const key = createPrivateKey(readFileSync(first!.keyFile));
    const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
    writeFileSync(locked, key.export(options));
    const env = { DATA_DIR: join(folder, 'data'), PORT: '0', TLS_CERT: first!.certFile, TLS_KEY: locked };
    const { code, stderr } = await runCli(['serve'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('without a passphrase')]);
  });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

async function call(app: TestApp, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const all = { 'x-api-key': app.key, 'content-type': 'application/json', ...headers };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = request(`${app.url}${path}`, { method, headers: all, rejectUnauthorized: false, agent: false });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

async function openSocket(app: TestApp): Promise<WebSocket> {
  const url = `${app.url.replace('https', 'wss')}/v1/ws/search`;
  const socket = new WebSocket(url, { headers: { 'x-api-key': app.key }, rejectUnauthorized: false });
  await once(socket, 'open');
  return socket;
}

function on(socket: WebSocket) {
  const frames: unknown[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    frames.push(data);
    wake();
  });
  return (async function* () {
    for (;;) {
      if (frames.length > 0) yield [frames.shift()];
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  })();
}

async function expectPong(socket: WebSocket): Promise<void> {
  const pong = once(socket, 'pong');
  socket.ping();
  await pong;
}

/** The name in the certificate that a new connection gets, without the name of a host, as by an address. */
async function subjectAt(app: TestApp): Promise<string> {
  const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}
