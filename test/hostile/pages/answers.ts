/** Answers that unpack, go on or lead on without end, and answers that are hardly HTTP. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type Answer, type HostilePages, html, letters, megabyte, zeros } from './page.ts';

const endless = (chunk: string, everyMs: number): Answer => {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const timer = setInterval(() => response.write(chunk), everyMs);
    response.on('close', () => clearInterval(timer));
  };
};

const coded = (coding: string, body: Buffer): Answer => html(body, { 'content-encoding': coding });
const redirect = (status: number, location: string): Answer => {
  return (response) => response.writeHead(status, { location }).end();
};
/** Bytes in place of an answer. */
const raw = (bytes: string): Answer => {
  return (response) => response.socket?.end(bytes);
};
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';

const failed = /^(unreachable|too_large|parse_failed|timeout)$/;

export const answerPages: HostilePages = {
  // Codings.
  'gzip-bomb': { answer: coded('gzip', gzipSync(zeros)), ends: /^too_large$/ },
  'brotli-bomb': { answer: coded('br', brotliCompressSync(zeros)), ends: /^too_large$/ },
  'deflate-bomb': { answer: coded('deflate', deflateSync(zeros)), ends: /^too_large$/ },
  'gzip-twice': { answer: coded('gzip, gzip', gzipSync(gzipSync(zeros))), ends: /^too_large$/ },
  'gzip-members': {
    answer: coded('gzip', Buffer.concat(Array.from({ length: 20_000 }, () => gzipSync('x')))),
    ends: /^read$/,
  },
  'gzip-five-times': { answer: coded('gzip, gzip, gzip, gzip, gzip', gzipSync('x')), ends: /^unsupported_type$/ },
  'deflate-bare': { answer: coded('deflate', deflateRawSync('<p>Bare deflate, and readable.</p>')), ends: /^read$/ },
  'gzip-lie': { answer: coded('gzip', Buffer.from('<p>not packed at all</p>')), ends: /^parse_failed$/ },
  'gzip-cut': {
    answer: coded('gzip', gzipSync(`<p>${'Cut off in the middle. '.repeat(2_000)}</p>`).subarray(0, 120)),
    ends: /^unreachable$/,
  },
  'coding-unknown': { answer: coded('snappy', Buffer.from('x')), ends: /^unsupported_type$/ },
  // Size and time.
  'too-large-said': { answer: html('x', { 'content-length': String(50 * megabyte) }), ends: /^too_large$/ },
  'too-large-sent': { answer: endless(letters, 1), ends: /^too_large$/ },
  'never-ending': { answer: endless('<p>more</p>', 20), ends: /^timeout$/, isSlow: true },
  'slow-drip': { answer: endless('x', 1_000), ends: /^timeout$/, isSlow: true },
  'no-body': {
    answer: (response) => response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders(),
    ends: /^timeout$/,
    isSlow: true,
  },
  'no-answer': { answer: () => {}, ends: /^timeout$/, isSlow: true },
  'hints-endless': {
    answer: (response) => {
      const timer = setInterval(() => response.socket?.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), 50);
      response.on('close', () => clearInterval(timer));
    },
    ends: failed,
    isSlow: true,
  },
  'huge-headers': { answer: html('x', { 'x-long': 'a'.repeat(60_000) }), ends: /^too_large$/ },
  'many-cookies': {
    answer: (response) =>
      response.writeHead(200, { 'set-cookie': Array.from({ length: 5_000 }, (_, i) => `a${i}=${i}`) }).end('x'),
    ends: /^too_large$/,
  },
  'broken-off': {
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' }).write('<p>');
      setTimeout(() => response.destroy(), 50);
    },
    ends: /^unreachable$/,
  },
  // Hardly HTTP.
  'tiny-chunks': {
    answer: raw(`${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(200_000)}0\r\n\r\n`),
    ends: /^read$/,
  },
  'chunk-broken': { answer: raw(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n<p>a</p>\r\n`), ends: failed },
  'chunk-extension': {
    answer: raw(`${head}Transfer-Encoding: chunked\r\n\r\n1;${letters}\r\na\r\n0\r\n\r\n`),
    ends: /^(read|unreachable|too_large)$/,
  },
  'trailers-huge': {
    answer: raw(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n${`X-T: ${letters.slice(0, 1_000)}\r\n`.repeat(500)}\r\n`),
    ends: /^(read|unreachable|too_large)$/,
  },
  'length-huge': { answer: raw(`${head}Content-Length: 99999999999999999999999\r\n\r\nx`), ends: failed },
  'lengths-two': { answer: raw(`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy`), ends: failed },
  'length-negative': { answer: raw(`${head}Content-Length: -1\r\n\r\nx`), ends: failed },
  'header-null': { answer: raw(`${head}X-A: a\0b\r\nContent-Length: 1\r\n\r\nx`), ends: failed },
  'status-garbage': { answer: raw('HTTP/9.9 banana\r\n\r\n'), ends: failed },
  'not-http': { answer: raw('SSH-2.0-OpenSSH_9.6\r\n'), ends: /^unreachable$/ },
  nothing: { answer: (response) => response.destroy(), ends: /^unreachable$/ },
  'upgrade-forced': {
    answer: raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx'),
    ends: failed,
  },
  // Redirects and statuses.
  'redirect-loop': { answer: redirect(302, '/redirect-loop'), ends: /^too_many_redirects$/ },
  'redirect-ring': { answer: redirect(301, '/redirect-ring-back'), ends: /^too_many_redirects$/ },
  'redirect-ring-back': { answer: redirect(308, '/redirect-ring'), ends: /^too_many_redirects$/ },
  'redirect-new': {
    answer: (response, { url }) => response.writeHead(302, { location: `${url}x` }).end(),
    ends: /^too_many_redirects$/,
  },
  'redirect-long': { answer: redirect(302, `/${letters.slice(0, 60_000)}`), ends: /^too_large$/ },
  'redirect-endless-body': {
    answer: (response) => {
      response.writeHead(302, { location: '/redirect-endless-body' });
      response.write(letters);
    },
    ends: /^too_many_redirects$/,
  },
  'redirect-nowhere': { answer: (response) => response.writeHead(302).end(), ends: /^http_status$/ },
  'redirect-broken': { answer: redirect(302, 'http://['), ends: /^blocked_address$/ },
  'redirect-file': { answer: redirect(302, 'file:///etc/passwd'), ends: /^blocked_address$/ },
  'redirect-script': { answer: redirect(302, 'javascript:alert(1)'), ends: /^blocked_address$/ },
  'redirect-private': { answer: redirect(302, 'http://169.254.169.254/'), ends: /^blocked_address$/ },
  'not-modified': { answer: (response) => response.writeHead(304).end(), ends: /^http_status$/ },
  'not-found': {
    answer: (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>gone</p>'),
    ends: /^http_status$/,
  },
  'server-error': { answer: (response) => response.writeHead(500).end(), ends: /^http_status$/ },
};
