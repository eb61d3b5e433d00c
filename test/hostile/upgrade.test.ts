/** Hostile and broken upgrades to a WebSocket. Whatever comes, the process lives and logs no internal error. */
import { describe, expect, it } from 'vitest';
import { plans } from '../../src/access/plans.ts';
import { connectRaw, handshake, statusesIn } from '../support/clients/raw-client.ts';
import { connect, ofType, ping, Refused } from '../support/clients/ws-client.ts';
import { useWatchedApp } from '../support/watched-app.ts';

const page = 'https://chat.example.org';
const question = { prompt: 'Who designed the Heron Point Lighthouse?' };

const watched = useWatchedApp({ ALLOWED_ORIGINS: page });
const { open } = watched;

describe('the upgrade', () => {
  async function answerTo(headers: Record<string, string | undefined>): Promise<[number | undefined, string]> {
    const client = await connectRaw(watched.app.url);
    client.send(handshake({ 'X-API-Key': await watched.newKey(), ...headers }));
    const text = await client.until((each) => each.includes('\r\n\r\n'));
    client.leave();
    return [statusesIn(text)[0], text];
  }

  it('accepts an upgrade with nothing but a key', async () => {
    expect((await answerTo({}))[0]).toBe(101);
  });

  it.each<[number, Record<string, string | undefined>]>([
    ...['7', '8', '12', '14', '013', '13, 8', '8, 13', '13, 13', '8\r\nSec-WebSocket-Version: 13', ''].map(
      (version): [number, Record<string, string>] => [426, { 'Sec-WebSocket-Version': version }],
    ),
    [426, { 'Sec-WebSocket-Version': undefined }],
    [426, { Upgrade: undefined }],
    [426, { Upgrade: 'h2c' }],
    [426, { Connection: undefined }],
    [426, { Connection: 'keep-alive' }],
    [426, { 'Sec-WebSocket-Key': undefined }],
    [426, { 'Sec-WebSocket-Key': 'abc' }],
    [422, { 'Sec-WebSocket-Key': '!'.repeat(24) }],
    [422, { 'Sec-WebSocket-Protocol': 'graphql-ws' }],
    [422, { 'Sec-WebSocket-Protocol': 'CITEWIRE.V1' }],
    [401, { 'X-API-Key': undefined }],
    [401, { 'X-API-Key': 'cw_nobody' }],
    [403, { Origin: 'https://evil.example' }],
    [403, { Origin: 'null' }],
    [403, { Origin: `https://${'e'.repeat(3_000)}.example` }],
  ])('answers an invalid upgrade with %i over HTTP (%#)', async (status, headers) => {
    const [got, text] = await answerTo(headers);
    expect(got).toBe(status);
    if (status === 426) expect(text).toContain('sec-websocket-version: 13');
  });

  it('refuses an upgrade with two Sec-WebSocket-Keys', async () => {
    const client = await connectRaw(watched.app.url);
    client.send(
      handshake({ 'X-API-Key': watched.app.key, Cookie: 'a\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==' }),
    );
    expect(statusesIn(await client.until((text) => text.includes('\r\n\r\n')))).toEqual([422]);
    client.leave();
  });

  it('answers 405 to an upgrade by another method than GET, which takes no connection of its key', async () => {
    const headers = { 'X-API-Key': await watched.newKey() };
    for (let n = 0; n <= plans.pro.connections_per_key; n++) {
      const client = await connectRaw(watched.app.url);
      client.send(handshake(headers).replace('GET', 'POST'));
      expect(statusesIn(await client.until((text) => text.includes('\r\n\r\n')))).toEqual([405]);
      client.leave();
    }
    expect((await answerTo(headers))[0]).toBe(101);
  });

  it('cuts off an upgrade with a body', async () => {
    for (const headers of [{ 'Transfer-Encoding': 'chunked' }, { 'Content-Length': '5' }] as Record<string, string>[]) {
      const client = await connectRaw(watched.app.url);
      client.send(`${handshake({ 'X-API-Key': watched.app.key, ...headers })}0\r\n\r\n`);
      expect(await client.ended).toBe('');
    }
  });

  it('handles no other request that comes with an upgrade', async () => {
    const client = await connectRaw(watched.app.url);
    client.send(`${handshake({ 'X-API-Key': watched.app.key })}GET /asyncapi.json HTTP/1.1\r\nHost: a\r\n\r\n`);
    client.socket.end();
    expect(await client.ended).not.toContain('asyncapi');
  });

  it('accepts or cuts off an upgrade that also says "Connection: close", nothing in between', async () => {
    for (const Connection of ['close\r\nConnection: Upgrade', 'Upgrade\r\nConnection: close', 'close, Upgrade']) {
      const client = await connectRaw(watched.app.url);
      client.send(handshake({ 'X-API-Key': await watched.newKey(), Connection }));
      client.socket.end();
      const [status] = statusesIn(await client.ended);
      expect([undefined, 101]).toContain(status);
    }
  });

  it('opens sockets that stay open, for keys that were never used before', async () => {
    for (let n = 0; n < 30; n++) {
      const client = await open();
      client.send(ping('open'));
      await client.next(({ ref }) => ref === 'open');
      client.close();
    }
  });

  it('answers with the subprotocol if it was offered, and never with a ticket', async () => {
    const mine = (await answerTo({ 'Sec-WebSocket-Protocol': `ticket.${'a'.repeat(43)}, citewire.v1` }))[1];
    expect(mine.toLowerCase()).toContain('sec-websocket-protocol: citewire.v1\r\n');
    expect(mine).not.toContain('ticket');
    expect((await answerTo({}))[1].toLowerCase()).not.toContain('sec-websocket-protocol');
  });

  it('charges a unit for an upgrade, and answers 429 when none is left', async () => {
    const key = await watched.newKey('starter');
    for (let used = 0; used < 10; used++) (await connect(watched.app.url, { 'x-api-key': key })).close();
    await expect(connect(watched.app.url, { 'x-api-key': key })).rejects.toEqual(new Refused(429));
  });

  it.each<[string, Record<string, string>, number, string]>([
    ['from an unknown origin', { origin: 'https://evil.example' }, 4403, 'forbidden'],
    ['from an origin of many bytes', { origin: `https://${'ü'.repeat(200)}.example` }, 4403, 'forbidden'],
    ['without a ticket', { origin: page }, 4401, 'unauthorized'],
  ])('accepts the upgrade of a page %s, sends it the error, and closes', async (_, headers, close, code) => {
    const client = await connect(watched.app.url, headers, ['citewire.v1']);
    const error = await client.next(ofType('error'));
    expect((error.error as { code: string }).code).toBe(code);
    expect((await client.closed).code).toBe(close);
    expect(client.received).toHaveLength(1);
  });

  it('ignores the frames of a page whose upgrade is refused', async () => {
    const client = await connect(watched.app.url, { origin: 'https://evil.example' });
    client.send({ type: 'search.start', ref: 'a', request: question });
    expect((await client.closed).code).toBe(4403);
    expect(client.received).toHaveLength(1);
  });
});
