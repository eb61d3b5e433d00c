/** Which certificates replace the one in use, and when the log warns of one that expires. */
import { afterEach, expect, it, vi } from 'vitest';
import { createRenewal } from '../../src/app/renew-certificates.ts';
import type { Certificate } from '../../src/transport/tls/certificate.ts';

const day = 86_400_000;
const second = 1 / 86_400;
const minute = 60 * second;
const start = Date.parse('2026-06-01T00:00:00.000Z');

afterEach(() => {
  vi.useRealTimers();
});

function certificate(name: string, from: number, to: number): Certificate {
  const [begins, expires] = [new Date(start + from * day), new Date(start + to * day)] as [Date, Date];
  return { certFile: name, keyFile: name, cert: Buffer.alloc(0), key: Buffer.alloc(0), begins, expires };
}

function open(first: Certificate) {
  const clock = { now: start };
  const files = { read: first };
  const used: string[] = [];
  const said: string[] = [];
  const note = (about: unknown, text: string) => said.push(`${text} ${JSON.stringify(about)}`);
  const renewal = createRenewal(
    first,
    { renew: ({ certFile }: Certificate) => void used.push(certFile) },
    { info: note, warn: note } as unknown as Parameters<typeof createRenewal>[2],
    { read: () => files.read, now: () => clock.now },
  );
  return { clock, files, used, said, renewal };
}

it('keeps a certificate that is valid instead of one that has expired, or is not valid yet, until it is', () => {
  const { clock, files, used, said, renewal } = open(certificate('old', -10, 80));
  renewal.offer(certificate('expired', -90, -1));
  renewal.offer(certificate('expires now', -90, 0));
  files.read = certificate('next', 2, 92);
  renewal.offer(files.read);
  expect(used).toEqual([]);
  expect(said.join()).toMatch(/keeping the old one.*expired on 2026-05-31.*begins on 2026-06-03/);
  renewal.check();
  expect(used).toEqual([]);
  clock.now += 3 * day;
  renewal.check();
  renewal.check();
  expect(used).toEqual(['next']);
});

it('warns each day, from two weeks before the certificate expires', () => {
  const { clock, said, renewal } = open(certificate('old', -75, 15));
  const expected = ['', 'expires soon', 'expires soon', 'has expired'];
  for (const [n, days] of [0, 2, 14, 16].entries()) {
    said.length = 0;
    clock.now = start + days * day;
    renewal.check();
    expect(said.join()).toContain(expected[n]);
    expect(said).toHaveLength(n === 0 ? 0 : 1);
  }
  renewal.offer(certificate('new', 10, 100));
  said.length = 0;
  renewal.check();
  expect(said).toEqual([]);
});

it('warns of one that lives for days in the last third of its life only', () => {
  const { clock, said, renewal } = open(certificate('six days', 0, 6));
  for (const days of [0, 1, 3.9]) {
    clock.now = start + days * day;
    renewal.check();
  }
  expect(said).toEqual([]);
  clock.now = start + 4.1 * day;
  renewal.check();
  expect(said.join()).toContain('expires soon');
});

it('uses a certificate that the clock of its authority dates some seconds ahead', () => {
  const { used, renewal } = open(certificate('old', -10, 80));
  renewal.offer(certificate('new', 20 * second, 90));
  renewal.offer(certificate('too early', 10 * minute, 90));
  expect(used).toEqual(['new']);
  renewal.close();
});

it('uses a certificate that is not valid yet once it is', () => {
  vi.useFakeTimers();
  const { clock, files, used, renewal } = open(certificate('old', -10, 80));
  const pass = (days: number) => {
    clock.now += days * day;
    vi.advanceTimersByTime(days * day);
  };
  files.read = certificate('next', 60 * minute, 90);
  renewal.offer(files.read);
  pass(30 * minute);
  expect(used).toEqual([]);
  pass(31 * minute);
  expect(used).toEqual(['next']);
  expect(vi.getTimerCount()).toBe(0);
  renewal.close();
});

it('tries the files each minute once the certificate in use has expired, and says each reason once', () => {
  vi.useFakeTimers();
  const { clock, files, used, said, renewal } = open(certificate('old', -90, 2 * minute));
  const pass = () => {
    clock.now += 60_000;
    vi.advanceTimersByTime(60_000);
  };
  files.read = certificate('expired', -90, -1);
  renewal.offer(files.read);
  for (let n = 0; n < 10; n++) pass();
  expect(used).toEqual([]);
  expect(said).toHaveLength(1);
  files.read = certificate('new', 0, 90);
  pass();
  expect(used).toEqual(['new']);
  renewal.close();
  expect(vi.getTimerCount()).toBe(0);
});
