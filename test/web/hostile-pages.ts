/** Hostile pages, and how reading each should end: `read`, or the code of a PageError. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const megabyte = 1024 * 1024;
const html = (body: string | Buffer, headers: Record<string, string> = {}): Answer => {
  return (response) => response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
};
const endless = (chunk: string, everyMs: number): Answer => {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const timer = setInterval(() => response.write(chunk), everyMs);
    response.on('close', () => clearInterval(timer));
  };
};
/** Ten times what a page may have, once unpacked. */
const zeros = Buffer.alloc(50 * megabyte);
const letters = 'a'.repeat(megabyte);
const deep = (tag: string, count: number) => `<${tag}>`.repeat(count);

export const hostilePages: Record<string, { readonly answer: Answer; readonly ends: RegExp }> = {
  // Depth, breadth and markup.
  'nested-divs': { answer: html(`${deep('div', 1_000)}<p>Down here, at the bottom of it all.</p>`), ends: /^read$/ },
  'nested-divs-many': { answer: html(`${deep('div', 300_000)}text`), ends: /^(read|parse_failed)$/ },
  'nested-tables': { answer: html(`${deep('table><tr><td', 20_000)}text`), ends: /^(read|parse_failed)$/ },
  'nested-lists': {
    answer: html(`<p>A list that goes down and down.</p>${deep('ul><li', 5_000)}text`),
    ends: /^(read|parse_failed)$/,
  },
  'nested-quotes': { answer: html(`${deep('blockquote', 3_000)}<p>${letters.slice(0, 500)}</p>`), ends: /^read$/ },
  'nested-inline': { answer: html(`<p>Text ${deep('b', 100_000)}bold</p>`), ends: /^read$/ },
  'nested-svg': { answer: html(`${deep('svg', 50_000)}<p>x</p>`), ends: /^read$/ },
  'unclosed-tags': { answer: html(`${'<p>An open paragraph of text<a href=/x>link'.repeat(50_000)}`), ends: /^read$/ },
  'stray-closing': { answer: html(`${deep('div', 900)}${'</b>'.repeat(800_000)}`), ends: /^(read|timeout)$/ },
  'one-attribute': {
    answer: html(`<p class="${letters}${letters}">A paragraph with a very long class.</p>`),
    ends: /^read$/,
  },
  'many-attributes': {
    answer: html(`<p ${Array.from({ length: 200_000 }, (_, i) => `a${i}=1`).join(' ')}>Text of the paragraph</p>`),
    ends: /^read$/,
  },
  'same-attributes': { answer: html(`<p ${'class=a '.repeat(300_000)}>Text of the paragraph</p>`), ends: /^read$/ },
  'many-elements': { answer: html('<i>x</i> '.repeat(500_000)), ends: /^(read|timeout)$/ },
  'many-paragraphs': { answer: html('<p>A short one.</p>'.repeat(250_000)), ends: /^(read|timeout)$/ },
  'many-rows': {
    answer: html(`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(100_000)}</table>`),
    ends: /^(read|timeout)$/,
  },
  'many-classes': {
    answer: html(Array.from({ length: 60_000 }, (_, i) => `<p class="c${i} d${i}">word ${i}</p>`).join('')),
    ends: /^(read|timeout)$/,
  },
  'entity-flood': { answer: html(`<p>${'&amp;&lt;&nbsp;&#x41;&unknown;'.repeat(150_000)}</p>`), ends: /^read$/ },
  'entity-broken': { answer: html(`<p>${'&#99999999999;&#xD800;&'.repeat(100_000)}</p>`), ends: /^read$/ },
  'comment-open': { answer: html(`<p>Before the comment.</p><!--${letters}`), ends: /^read$/ },
  'comments-many': { answer: html('<!-- x -->'.repeat(400_000)), ends: /^read$/ },
  'script-open': { answer: html(`<p>Before the script.</p><script>${letters}`), ends: /^read$/ },
  'cdata-open': { answer: html(`<p>Before.</p><![CDATA[${letters}`), ends: /^read$/ },
  'null-bytes': { answer: html(`<p>one\0two\0</p>${'\0'.repeat(megabyte)}`), ends: /^read$/ },
  'control-characters': { answer: html(`<p>${'\u0001\u0007\u001b[31m'.repeat(100_000)} text</p>`), ends: /^read$/ },
  'one-line': { answer: html(`<p>${'word '.repeat(900_000)}</p>`), ends: /^read$/ },
  'one-word': { answer: html(`<p>${letters.repeat(4)}</p>`), ends: /^read$/ },
  backticks: { answer: html(`<p><code>${'`'.repeat(megabyte)}</code></p>`), ends: /^read$/ },
  'backtick-runs': { answer: html(`<pre>${'` `` '.repeat(500_000)}</pre>`), ends: /^read$/ },
  spaces: { answer: html(`<p>a${' \n\t'.repeat(megabyte)}b</p>`), ends: /^(read|timeout)$/ },
  'line-breaks': { answer: html(`<p>a${'<br>'.repeat(800_000)}b</p>`), ends: /^(read|timeout)$/ },
  brackets: { answer: html(`<p>${'](['.repeat(megabyte)}</p>`), ends: /^(read|timeout)$/ },
  stars: { answer: html(`<p>${'*_'.repeat(megabyte)}</p>`), ends: /^(read|timeout)$/ },
  'zero-width': { answer: html(`<p>${'\u200b\u200d\u202e\u2066\u{e0041}'.repeat(200_000)}seen</p>`), ends: /^read$/ },
  'json-ld-deep': {
    answer: html(`<script type="application/ld+json">${'['.repeat(200_000)}</script><p>Text beside it.</p>`),
    ends: /^read$/,
  },
  'json-ld-wide': {
    answer: html(
      `<script type="application/ld+json">[${'{"@type":"Article"},'.repeat(100_000)}{}]</script><p>Text beside it.</p>`,
    ),
    ends: /^read$/,
  },
  'links-many': {
    answer: html('<p><a href="https://example.org/a">one</a> and text</p>'.repeat(60_000)),
    ends: /^(read|timeout)$/,
  },
  'urls-broken': { answer: html(`<p>${'<a href="http://[">x</a> '.repeat(100_000)}</p>`), ends: /^read$/ },
  // Charset lies.
  'charset-unknown': {
    answer: html('<p>Plain enough text.</p>', { 'content-type': 'text/html; charset=klingon' }),
    ends: /^read$/,
  },
  'charset-utf16-lie': { answer: html('<meta charset="utf-16"><p>Plain enough text.</p>'), ends: /^read$/ },
  'charset-utf7': {
    answer: html('<p>+ADw-script+AD4-</p>', { 'content-type': 'text/html; charset=utf-7' }),
    ends: /^read$/,
  },
  'lone-surrogates': {
    answer: html(Buffer.from([0xff, 0xfe, 0x3c, 0, 0x70, 0, 0x3e, 0, 0x00, 0xd8, 0x41, 0x00])),
    ends: /^read$/,
  },
  'broken-utf8': { answer: html(Buffer.concat([Buffer.from('<p>'), Buffer.alloc(megabyte, 0xc3)])), ends: /^read$/ },
  // Types.
  'pdf-broken': {
    answer: html('%PDF-1.7\n1 0 obj << /Type /Catalog >>', { 'content-type': 'application/pdf' }),
    ends: /^parse_failed$/,
  },
  'pdf-garbage': {
    answer: html(Buffer.concat([Buffer.from('%PDF-1.4\n'), zeros.subarray(0, megabyte)])),
    ends: /^parse_failed$/,
  },
  'json-deep': { answer: html('['.repeat(500_000), { 'content-type': 'application/json' }), ends: /^read$/ },
  'json-nested': {
    answer: html(`${'['.repeat(4_000)}${']'.repeat(4_000)}`, { 'content-type': 'application/json' }),
    ends: /^(read|parse_failed)$/,
  },
  'xml-bomb': {
    answer: html(
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><rss><channel><item><title>&b;</title></item></channel></rss>',
      { 'content-type': 'application/rss+xml' },
    ),
    ends: /^read$/,
  },
  'feed-deep': {
    answer: html(`<rss><channel>${deep('item', 100_000)}`, { 'content-type': 'application/rss+xml' }),
    ends: /^(read|parse_failed)$/,
  },
  image: { answer: html(zeros.subarray(0, 1_000), { 'content-type': 'image/png' }), ends: /^unsupported_type$/ },
  'binary-without-type': {
    answer: (response) => response.writeHead(200).end(Buffer.from([0, 1, 2, 3, 4])),
    ends: /^unsupported_type$/,
  },
  empty: { answer: html(''), ends: /^read$/ },
  // Codings.
  'gzip-bomb': { answer: html(gzipSync(zeros), { 'content-encoding': 'gzip' }), ends: /^too_large$/ },
  'brotli-bomb': { answer: html(brotliCompressSync(zeros), { 'content-encoding': 'br' }), ends: /^too_large$/ },
  'deflate-bomb': { answer: html(deflateSync(zeros), { 'content-encoding': 'deflate' }), ends: /^too_large$/ },
  'deflate-bare': {
    answer: html(deflateRawSync(Buffer.from('<p>Bare deflate, and readable.</p>')), { 'content-encoding': 'deflate' }),
    ends: /^read$/,
  },
  'gzip-twice': { answer: html(gzipSync(gzipSync(zeros)), { 'content-encoding': 'gzip, gzip' }), ends: /^too_large$/ },
  'gzip-five-times': {
    answer: html(gzipSync('x'), { 'content-encoding': 'gzip, gzip, gzip, gzip, gzip' }),
    ends: /^unsupported_type$/,
  },
  'gzip-lie': { answer: html('<p>not packed at all</p>', { 'content-encoding': 'gzip' }), ends: /^parse_failed$/ },
  'gzip-cut': {
    answer: html(gzipSync(`<p>${'Cut off in the middle. '.repeat(2_000)}</p>`).subarray(0, 120), {
      'content-encoding': 'gzip',
    }),
    ends: /^unreachable$/,
  },
  'coding-unknown': { answer: html('x', { 'content-encoding': 'snappy' }), ends: /^unsupported_type$/ },
  // Size and time.
  'too-large-said': { answer: html('x', { 'content-length': String(50 * megabyte) }), ends: /^too_large$/ },
  'too-large-sent': { answer: endless(letters, 1), ends: /^too_large$/ },
  'never-ending': { answer: endless('<p>more</p>', 20), ends: /^timeout$/ },
  'slow-drip': { answer: endless('x', 1_000), ends: /^timeout$/ },
  'no-body': {
    answer: (response) => response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders(),
    ends: /^timeout$/,
  },
  'no-answer': { answer: () => {}, ends: /^timeout$/ },
  'huge-headers': { answer: html('x', { 'x-long': 'a'.repeat(60_000) }), ends: /^too_large$/ },
  'broken-off': {
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' }).write('<p>');
      setTimeout(() => response.destroy(), 50);
    },
    ends: /^unreachable$/,
  },
  // Redirects and statuses.
  'redirect-loop': {
    answer: (response) => response.writeHead(302, { location: '/redirect-loop' }).end(),
    ends: /^too_many_redirects$/,
  },
  'redirect-ring': {
    answer: (response) => response.writeHead(301, { location: '/redirect-ring-back' }).end(),
    ends: /^too_many_redirects$/,
  },
  'redirect-ring-back': {
    answer: (response) => response.writeHead(308, { location: '/redirect-ring' }).end(),
    ends: /^too_many_redirects$/,
  },
  'redirect-long': {
    answer: (response) => response.writeHead(302, { location: `/${letters.slice(0, 60_000)}` }).end(),
    ends: /^too_large$/,
  },
  'redirect-endless-body': {
    answer: (response) => {
      response.writeHead(302, { location: '/redirect-endless-body' });
      response.write(letters);
    },
    ends: /^too_many_redirects$/,
  },
  'redirect-nowhere': { answer: (response) => response.writeHead(302).end(), ends: /^http_status$/ },
  'redirect-broken': {
    answer: (response) => response.writeHead(302, { location: 'http://[' }).end(),
    ends: /^blocked_address$/,
  },
  'redirect-file': {
    answer: (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ends: /^blocked_address$/,
  },
  'not-modified': { answer: (response) => response.writeHead(304).end(), ends: /^http_status$/ },
  'not-found': {
    answer: (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>gone</p>'),
    ends: /^http_status$/,
  },
  'server-error': { answer: (response) => response.writeHead(500).end(), ends: /^http_status$/ },
};
