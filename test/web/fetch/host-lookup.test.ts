/** How hosts of pages are resolved: by name servers asked directly, here one on loopback that answers as the test says. */
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createFetcher } from '../../../src/web/fetch/fetch.ts';
import { createHostLookup } from '../../../src/web/fetch/host-lookup.ts';
import { createWebhookPoster } from '../../../src/web/fetch/post-webhook.ts';

/** A name's addresses by the type that is asked for; a code of DNS where there is another answer; no entry for silence. */
type Names = Readonly<Record<string, Partial<Record<'A' | 'AAAA', readonly string[] | 'NXDOMAIN' | 'SERVFAIL'>>>>;

interface NameServer {
  readonly address: string;
  /** Every question, as "name type". */
  readonly asked: string[];
}

const signal = new AbortController().signal;
const closing: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** The first of each of the questions in `lost`, as "name type", is lost on its way. */
async function serveNames(names: Names, lost: readonly string[] = []): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (question, from) => {
    const { name, type, end } = readQuestion(question);
    const asking = `${name} ${type}`;
    const isLost = lost.includes(asking) && !asked.includes(asking);
    asked.push(asking);
    const answer = isLost ? undefined : names[name]?.[type];
    if (answer !== undefined) socket.send(replyTo(question.subarray(0, end), answer), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closing.push(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function readQuestion(packet: Buffer): { readonly name: string; readonly type: 'A' | 'AAAA'; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at]!; length > 0; length = packet[at]!) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: packet.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A', end: at + 5 };
}

function replyTo(question: Buffer, answer: readonly string[] | 'NXDOMAIN' | 'SERVFAIL'): Buffer {
  const addresses = typeof answer === 'string' ? [] : answer;
  const header = Buffer.from(question);
  const codes = { NXDOMAIN: 3, SERVFAIL: 2 };
  header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? codes[answer] : 0), 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const isSix = address.includes(':');
    const bytes = isSix
      ? Buffer.from(
          address
            .split(':')
            .map((group) => group.padStart(4, '0'))
            .join(''),
          'hex',
        )
      : Buffer.from(address.split('.').map(Number));
    const about = Buffer.from([0xc0, 12, 0, isSix ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
    return Buffer.concat([about, bytes]);
  });
  return Buffer.concat([header, ...records]);
}

function find(name: string, by: LookupFunction): Promise<unknown> {
  return new Promise((resolve, reject) => {
    by(name, { all: true }, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
}

describe('the lookup of hosts', () => {
  it('keeps names whose name server never answers from delaying the lookups of the rest of the process', async () => {
    const silent = await serveNames({});
    const fetcher = createFetcher({ nameServers: [silent.address] });
    const ended: string[] = [];
    const names = Array.from({ length: 12 }, (_, n) => `x${n}.slow.test`);
    const reads = names.map((name) =>
      fetcher.fetch({ url: `https://${name}/` }, signal).catch((error) => {
        ended.push(name);
        return error;
      }),
    );
    await expect
      .poll(() => new Set(silent.asked))
      .toEqual(new Set(names.flatMap((name) => [`${name} A`, `${name} AAAA`])));
    await lookup('localhost');
    expect(ended).toEqual([]);
    for (const failure of await Promise.all(reads)) {
      expect(failure).toMatchObject({ code: 'dns_error', message: 'The host name could not be resolved.' });
    }
    await fetcher.close();
  });

  it('gives the addresses of both families, or of the one that a name has', async () => {
    const { address } = await serveNames({
      'both.test': { A: ['93.184.215.14', '93.184.215.15'], AAAA: ['2606:4700:0:0:0:0:0:1'] },
      'four.test': { A: ['93.184.215.14'], AAAA: [] },
      'six.test': { A: [], AAAA: ['2606:4700:0:0:0:0:0:1'] },
      'failing.test': { A: ['93.184.215.14'], AAAA: 'SERVFAIL' },
      'silent.test': { A: ['93.184.215.14'] },
    });
    const by = createHostLookup([address]);
    const four = { address: '93.184.215.14', family: 4 };
    const six = { address: '2606:4700::1', family: 6 };
    expect(await find('both.test', by)).toEqual([four, { ...four, address: '93.184.215.15' }, six]);
    expect(await find('four.test.', by)).toEqual([four]);
    expect(await find('six.test', by)).toEqual([six]);
    expect(await find('failing.test', by)).toEqual([four]);
    expect(await find('silent.test', by)).toEqual([four]);
  });

  it('asks again for the IPv4 addresses of a name where the first question was lost and IPv6 has answered', async () => {
    const names = { 'both.test': { A: ['93.184.215.14'], AAAA: ['2606:4700:0:0:0:0:0:1'] } };
    const { address } = await serveNames(names, ['both.test A']);
    expect(await find('both.test', createHostLookup([address]))).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
  });

  it('tells a name that has no address from one that could not be resolved', async () => {
    const { address } = await serveNames({
      'unknown.test': { A: 'NXDOMAIN', AAAA: 'NXDOMAIN' },
      'empty.test': { A: [], AAAA: [] },
      'failing.test': { A: 'SERVFAIL', AAAA: 'SERVFAIL' },
    });
    const by = createHostLookup([address]);
    await expect(find('unknown.test', by)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(find('empty.test', by)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(find('failing.test', by)).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  it('leaves what only the machine knows to the system', async () => {
    const { address, asked } = await serveNames({});
    expect(await find('localhost', createHostLookup([address]))).toContainEqual({ address: '127.0.0.1', family: 4 });
    expect(asked).toEqual([]);
  });

  it('asks the system where there is no name server', async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    socket.close();
    await once(socket, 'close');
    // As the system says it, of a name that no machine has.
    await expect(find('name.invalid', createHostLookup([`127.0.0.1:${port}`]))).rejects.toMatchObject({
      syscall: 'getaddrinfo',
    });
  });

  it('refuses a name that a name server gives an address that is not public, for pages and for webhooks', async () => {
    const { address } = await serveNames({
      'private.test': { A: ['127.0.0.1'], AAAA: [] },
      'mixed.test': { A: ['93.184.215.14'], AAAA: ['0:0:0:0:0:0:0:1'] },
    });
    const fetcher = createFetcher({ nameServers: [address] });
    const poster = createWebhookPoster({ nameServers: [address] });
    for (const name of ['private.test', 'mixed.test']) {
      await expect(fetcher.fetch({ url: `http://${name}/` }, signal)).rejects.toMatchObject({
        code: 'blocked_address',
      });
      expect(await poster.post(`http://${name}/`, {}, '', signal)).toEqual({
        status: undefined,
        error: `${name} is not a public internet address.`,
      });
    }
    await Promise.all([fetcher.close(), poster.close()]);
  });
});
