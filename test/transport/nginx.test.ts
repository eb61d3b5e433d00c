/** The nginx configuration of docs/deploy.md, in a real nginx before a real server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { sourceLimits } from '../../protocol/index.ts';
import { hasOpenssl, makeCertificate } from '../support/servers/certificates.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const nginx = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).error === undefined);
const page = readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8');
const folder = temporaryFolder();

describe.skipIf(nginx === undefined || !hasOpenssl)('nginx as in docs/deploy.md', () => {
  let app: TestApp;
  let child: ChildProcess;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    const at = `https://127.0.0.1:${port}`;
    app = await startTestApp({ PUBLIC_URL: at, TRUSTED_PROXIES: '127.0.0.1' });
    const { certFile, keyFile } = makeCertificate(folder, 'proxy');
    const [, given = ''] = /```nginx\n([\s\S]*?)```/.exec(page) ?? [];
    const placed = given
      .replace('127.0.0.1:8080', new URL(app.url).host)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certFile};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${keyFile};`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(folder, name)};`)
      .join('\n');
    const config = join(folder, 'nginx.conf');
    // Otherwise nginx, started by root, buffers bodies as a user who may not write to the folder.
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    const main = `${user} daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error')}; events {}`;
    writeFileSync(config, `${main}\nhttp {\naccess_log off;\n${temporary}\n${placed}\n}\n`);
    const tried = spawnSync(nginx!, ['-t', '-e', join(folder, 'error'), '-c', config], { encoding: 'utf8' });
    expect(tried.stderr).toContain('test is successful');
    child = spawn(nginx!, ['-e', join(folder, 'error'), '-c', config], { stdio: 'ignore' });
    await vi.waitFor(async () => expect((await call('/healthz')).status).toBe(200), { timeout: 60_000, interval: 100 });
  });
  afterAll(async () => {
    if (child !== undefined) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await app?.[Symbol.asyncDispose]();
  });

  it('passes calls, event streams as they come, and WebSockets on', async () => {
    const prompt = 'Who designed the Heron Point Lighthouse?';
    expect((await call('/v1/search', { prompt })).body).toContain('Ingrid Solvay');
    const stream = await call('/v1/search', { prompt }, { accept: 'text/event-stream' });
    expect(stream.chunks).toBeGreaterThan(1);
    expect(stream.body).toContain('event: search.completed');
    const socket = new WebSocket(`wss://127.0.0.1:${port}/v1/ws/search`, {
      headers: { 'x-api-key': app.key },
      rejectUnauthorized: false,
    });
    const first = once(socket, 'message');
    await once(socket, 'open');
    expect(JSON.parse(String((await first)[0]))).toHaveProperty('type');
    socket.terminate();
  });

  it('has pages at the public address, and cookies that only TLS carries', async () => {
    expect((await call('/opensearch.xml')).body).toContain(`https://127.0.0.1:${port}/`);
    const link = await app.signInLink((await app.accounts.listAccounts())[0]!.id);
    const origin = `https://127.0.0.1:${port}`;
    const { headers } = await call('/v1/session', { link: link.split('#')[1] }, { origin });
    expect(headers['set-cookie']?.[0]).toMatch(/^__Host-citewire=.*; Secure/);
  });

  it('passes on a file of the largest size that can be uploaded', async () => {
    const file = Buffer.alloc(sourceLimits.upload_bytes, 'A long text. ');
    expect((await call('/v1/sources/files?name=long.txt', file)).status).toBe(201);
  });

  async function call(path: string, body?: unknown, headers: Record<string, string> = {}) {
    const all = { 'x-api-key': app.key, 'content-type': 'application/json', ...headers };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(`https://127.0.0.1:${port}${path}`, {
      method,
      headers: all,
      rejectUnauthorized: false,
      agent: false,
    });
    sent.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    let chunks = 0;
    response.on('data', () => {
      chunks += 1;
    });
    return { status: response.statusCode, headers: response.headers, body: await text(response), chunks };
  }
});
