/**
 * Requests in every form that a client, a proxy or an attacker may give them, and what each server does with them: the
 * statuses of its answers, and whether it closes the connection. What differs between the two is the parser of the native
 * server, a binary: docs/http.md describes it.
 */
import type { Outcome } from '../support/clients/answers.ts';

export interface FramingRow {
  readonly name: string;
  /** One character per byte. */
  readonly request: string;
  readonly native: Outcome;
  readonly portable: Outcome;
  /** What the native server may also do when the request arrives in two pieces. */
  readonly nativeInTwo: Outcome;
}

/** The request that is smuggled inside others: nothing else asks for its route. */
export const hidden = 'GET /asyncapi.json HTTP/1.1\r\nHost: a\r\n\r\n';

const host = 'Host: a\r\n';
const chunked = 'Transfer-Encoding: chunked\r\n';
const length = (bytes: number | string) => `Content-Length: ${bytes}\r\n`;
const get = (lines = '') => `GET /healthz HTTP/1.1\r\n${host}${lines}\r\n`;
const line = (requestLine: string) => `${requestLine}\r\n${host}\r\n`;
const post = (lines: string, body: string) => `POST /nothing HTTP/1.1\r\n${host}${lines}\r\n${body}`;
const chunks = (body: string) => post(chunked, body);
const headers = (count: number) => Array.from({ length: count }, (_, n) => `X${n}: a\r\n`).join('');
const socketLines = (key: string) => `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${key}`;
const socketKey = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

/** Name, bytes, what the native server does, the portable one where that differs, the native one in two pieces. */
type Row = readonly [string, string, Outcome, Outcome?, Outcome?];

const requestLines: readonly Row[] = [
  ['a good request', get(), '200 open'],
  ['HTTP/1.0, which the native server does not speak', line('GET /healthz HTTP/1.0'), '505 closed', '200 closed'],
  ['HTTP/1.0 without a host', 'GET /healthz HTTP/1.0\r\n\r\n', '505 closed', '200 closed'],
  ['HTTP/1.2', line('GET /healthz HTTP/1.2'), '505 closed', '400 closed'],
  ['HTTP/2.0', line('GET /healthz HTTP/2.0'), '505 closed'],
  ['HTTP/0.9', 'GET /healthz\r\n\r\n', '505 closed'],
  ['the version in small letters', line('GET /healthz http/1.1'), '505 closed', '400 closed'],
  ['a space after the version', line('GET /healthz HTTP/1.1 '), '505 closed', '400 closed'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '505 closed', '400 closed'],
  ['a TLS greeting', '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03\r\n\r\n', '505 closed', '400 closed'],
  ['random bytes', randomBytes(5_000), '505 closed', '400 closed'],
  ['an empty line before it, at which the native server waits', `\r\n${get()}`, 'open', '200 open'],
  ['an empty line between two', `${get()}\r\n${get()}`, '200 open', '200 200 open'],
  ['a line feed before it', `\n${get()}`, '505 closed', '200 open'],
  ['a space before it', ` ${get()}`, '505 closed', '400 closed'],
  ['line feeds only', 'GET /healthz HTTP/1.1\nHost: a\n\n', '505 closed', '400 closed'],
  ['two spaces', line('GET  /healthz HTTP/1.1'), '505 closed', '200 open'],
  ['a tab for a space', line('GET\t/healthz HTTP/1.1'), '505 closed', '400 closed'],
  ['an absolute URL', line('GET http://a/healthz HTTP/1.1'), '505 closed', '400 closed'],
  ['an absolute URL of another host', line('GET http://b/healthz HTTP/1.1'), '505 closed', '400 closed'],
  ['an absolute URL of another scheme', line('GET ftp://a/healthz HTTP/1.1'), '505 closed', '400 closed'],
  ['OPTIONS *', line('OPTIONS * HTTP/1.1'), '505 closed', '400 closed'],
  ['GET *', line('GET * HTTP/1.1'), '505 closed', '400 closed'],
  ['CONNECT', line('CONNECT a:80 HTTP/1.1'), '505 closed', '400 closed'],
  ['GET of a host and port', line('GET a:80 HTTP/1.1'), '505 closed', '400 closed'],
  ['a path without a slash', line('GET healthz HTTP/1.1'), '505 closed', '400 closed'],
  ['a path with two slashes', line('GET //healthz HTTP/1.1'), '404 open'],
  ['a path with a fragment', line('GET /healthz#x HTTP/1.1'), '404 open'],
  ['NUL in the path', line('GET /heal\0thz HTTP/1.1'), '505 closed', '400 closed'],
  ['a byte above ASCII in the path', line('GET /healthz\xe9 HTTP/1.1'), '404 open', '400 closed'],
  ['a URL of 17 KiB', line(`GET /healthz?${'a'.repeat(17 * 1024)} HTTP/1.1`), '431 closed'],
  ['HEAD', line('HEAD /healthz HTTP/1.1'), '200 open'],
  ['OPTIONS', line('OPTIONS /healthz HTTP/1.1'), '405 open'],
  ['TRACE', line('TRACE /healthz HTTP/1.1'), '405 closed', '405 open'],
  ['a method in small letters', line('get /healthz HTTP/1.1'), '405 closed', '400 closed'],
  ['a method of other letters', line('G@T /healthz HTTP/1.1'), '405 closed', '400 closed'],
  ['a method of 5,000 letters', line(`${'A'.repeat(5_000)} /healthz HTTP/1.1`), '405 closed', '400 closed'],
];

const headerLines: readonly Row[] = [
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', '400 closed'],
  ['two hosts', get('Host: b\r\n'), '400 closed'],
  ['the same host twice', get(host), '400 closed'],
  ['an empty name before the host', `GET /healthz HTTP/1.1\r\n: x\r\n${host}\r\n`, '400 closed'],
  ['an empty name, which the native server takes for the last header', get(': x\r\n'), '200 open', '400 closed'],
  [
    'an empty name that hides a body',
    post(`: x\r\n${length(hidden.length)}`, hidden),
    'closed',
    '400 closed',
    '404 closed',
  ],
  ['a control character in a value', get('X: a\x01b\r\n'), '400 closed'],
  ['NUL in a value', get('X: a\0b\r\n'), '400 closed'],
  ['DEL in a value', get('X: a\x7fb\r\n'), '200 open', '400 closed'],
  ['a tab in a value', get('X: a\tb\r\n'), '200 open'],
  ['a byte above ASCII in a value', get('X: a\xe9b\r\n'), '200 open'],
  ['a control character in a name', get('X\x01: ab\r\n'), '400 closed'],
  ['NUL in a name', get('X\0Y: ab\r\n'), '400 closed'],
  ['a byte above ASCII in a name', get('X\xe9: ab\r\n'), '400 closed'],
  ['a bracket in a name', get('X(: ab\r\n'), '400 closed'],
  ['a space in a name', get('X Y: ab\r\n'), '400 closed'],
  ['no colon', get('XY\r\n'), '400 closed'],
  ['a folded line', get('X: a\r\n b\r\n'), '400 closed'],
  ['a folded first line', `GET /healthz HTTP/1.1\r\n ${host}\r\n`, '400 closed'],
  ['a bare line feed', get('X: a\nY: b\r\n'), '400 closed'],
  ['a bare carriage return, at which the native server waits', get('X: a\rY: b\r\n'), 'open', '400 closed'],
  ['98 headers', get(headers(97)), '200 open'],
  ['99 headers', get(headers(98)), '431 closed'],
  ['4,000 headers', get(headers(1_800)), '431 closed'],
  ['a header of 17 KiB', get(`X: ${'a'.repeat(17 * 1024)}\r\n`), '431 closed'],
  ['a name of 20 KiB', get(`${'X'.repeat(20 * 1024)}: a\r\n`), '431 closed'],
  ['a wish to close among others', get('Connection: x, close\r\n'), '200 closed'],
  [
    'a wish of five letters, which the native server takes for "close"',
    get('Connection: abcde\r\n'),
    '200 closed',
    '200 open',
  ],
  ['an unknown expectation', get('Expect: x\r\n'), '200 open'],
  ['an expectation without a body', get('Expect: 100-continue\r\n'), '100 200 open', '200 closed'],
];

const bodies: readonly Row[] = [
  ['a length', post(length(2), '{}'), '404 open'],
  ['a length after spaces', post('Content-Length:   2  \r\n', '{}'), '404 open'],
  ['a length with zeros', post(length('007'), '1234567'), '404 open'],
  ['a body after GET', `${get(length(2))}{}${get()}`, '200 200 open'],
  ['a body after HEAD', `HEAD /healthz HTTP/1.1\r\n${host}${length(2)}\r\n{}${get()}`, '200 200 open'],
  ['no length', post('', ''), '404 closed', '404 open'],
  ['the same length twice', post(length(2) + length(2), '{}'), 'closed', '400 closed'],
  ['a list of lengths', post(length('2, 2'), '{}'), 'closed', '400 closed'],
  ['a length and chunks', post(length(5) + chunked, `0\r\n\r\n${hidden}`), '400 closed'],
  ['chunks and a length', post(chunked + length(5), `0\r\n\r\n${hidden}`), '400 closed'],
  ['chunks twice', post(chunked + chunked, `0\r\n\r\n${hidden}`), 'closed', '400 closed'],
  ['two codings', post('Transfer-Encoding: gzip, chunked\r\n', `0\r\n\r\n${hidden}`), 'closed'],
  ['an empty length', post('Content-Length:\r\n', hidden), 'closed', '400 closed'],
  ['a length with a sign', post(length('+2'), `{}${hidden}`), 'closed', '400 closed'],
  ['a length with an exponent', post(length('1e1'), `{}${hidden}`), 'closed', '400 closed'],
  ['a length of 67 bits', post(length('9'.repeat(20)), `{}${hidden}`), 'closed', '400 closed'],
  ['a space before the colon', post('Content-Length : 2\r\n', `{}${hidden}`), '400 closed'],
];

const chunkLines: readonly Row[] = [
  ['chunks', chunks('2\r\n{}\r\n0\r\n\r\n'), '404 closed', '404 open'],
  ['chunks after GET', `${get(chunked)}2\r\n{}\r\n0\r\n\r\n`, '200 closed', '200 open'],
  ['a size with zeros', chunks('0000000002\r\n{}\r\n0\r\n\r\n'), '404 closed', '404 open'],
  ['an extension, at which the native server waits', chunks('2;a=b\r\n{}\r\n0\r\n\r\n'), 'open', '404 open'],
  ['an extension of 17 KiB', chunks(`2;${'a'.repeat(17_000)}\r\n{}\r\n0\r\n\r\n`), '400 closed'],
  [
    'a trailer, which the native server does not know',
    chunks('2\r\n{}\r\n0\r\nX: y\r\n\r\n'),
    '505 closed',
    '404 open',
    '404 closed',
  ],
  [
    'a trailer with a length',
    chunks('2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n'),
    '505 closed',
    '400 closed',
    '404 closed',
  ],
  ['a negative size', chunks('-2\r\n{}\r\n0\r\n\r\n'), '400 closed'],
  ['a size with a sign', chunks('+2\r\n{}\r\n0\r\n\r\n'), '400 closed'],
  ['a size in words', chunks('zz\r\n{}\r\n0\r\n\r\n'), '400 closed'],
  ['a size with 0x', chunks('0x2\r\n{}\r\n0\r\n\r\n'), '400 closed'],
  ['a size of 68 bits', chunks('fffffffffffffffff\r\n{}'), '400 closed'],
  ['a size of 2 GB', chunks('7fffffff\r\n{}'), 'open'],
  ['no size', chunks('\r\n{}\r\n0\r\n\r\n'), '404 closed', '400 closed'],
  ['a space before the size', chunks(' 2\r\n{}\r\n0\r\n\r\n'), '404 closed', '400 closed'],
  ['a space after the size', chunks('2 \r\n{}\r\n0\r\n\r\n'), '404 closed', '400 closed'],
  ['line feeds only between chunks', chunks(`2\n{}\n0\n\n${hidden}`), 'closed', '400 closed', '404 closed'],
  ['a chunk that ends wrongly', chunks(`2\r\n{}XX0\r\n\r\n${hidden}`), 'closed', '400 closed', '404 closed'],
  [
    'a chunk that is longer than its size',
    chunks(`1\r\n{}\r\n0\r\n\r\n${hidden}`),
    '505 closed',
    '400 closed',
    '404 closed',
  ],
];

const connections: readonly Row[] = [
  ['five pipelined requests that are answered synchronously', get().repeat(5), '200 200 200 200 200 open'],
  [
    'two pipelined requests of which the first waits, at which the native server breaks off',
    line('GET /dashboard HTTP/1.1') + get(),
    'closed',
    '200 200 open',
    '200 200 open',
  ],
  ['a request after one that closes', get('Connection: close\r\n') + hidden, 'closed', '200 closed', '200 closed'],
  ['HEAD that closes', `HEAD /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, '200 closed'],
  ['a request after one that is refused', get('Host: b\r\n') + hidden, '400 closed'],
  ['an unsupported upgrade', get('Connection: Upgrade\r\nUpgrade: h2c\r\n'), '200 open'],
  ['an upgrade of a path that has none', get(socketLines(socketKey)), '200 open'],
  ['an upgrade without a key', `GET /v1/ws/search HTTP/1.1\r\n${host}${socketLines('')}\r\n`, '426 open'],
  [
    'an upgrade with a body',
    `GET /v1/ws/search HTTP/1.1\r\n${host}${socketLines(socketKey)}${length(hidden.length)}\r\n${hidden}`,
    'closed',
  ],
  ['an upgrade by POST', `POST /v1/ws/search HTTP/1.1\r\n${host}${socketLines(socketKey)}${length(0)}\r\n`, '405 open'],
];

export const framingRows: readonly FramingRow[] = [
  ...requestLines,
  ...headerLines,
  ...bodies,
  ...chunkLines,
  ...connections,
].map(([name, request, native, portable = native, nativeInTwo = native]) => ({
  name,
  request,
  native,
  portable,
  nativeInTwo,
}));

/** Always the same ones, so that a failure can be repeated. */
function randomBytes(count: number): string {
  return String.fromCharCode(...Array.from({ length: count }, (_, n) => (n * 7919) % 256));
}
