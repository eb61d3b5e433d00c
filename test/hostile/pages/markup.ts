/** HTML that is deep, broad, broken or invisible. */
import { type HostilePages, html, letters, megabyte, read, readOrNot } from './page.ts';

const deep = (tag: string, count: number) => `<${tag}>`.repeat(count);
const text = '<p>A paragraph of text that can be read beside it.</p>';

/**
 * White space that is read in far less than the time for a page, but not by a pattern that is tried at each place of it. At any
 * scale.
 */
const blanks = 200_000;

/** `n` scales a count, which is that of a page of full size. */
export function markupPages(n: (count: number) => number): HostilePages {
  const many = (count: number, make: (i: number) => string) => Array.from({ length: n(count) }, (_, i) => make(i)).join('');
  return {
    'nested-divs': { answer: html(`${deep('div', 1_000)}<p>Down here, at the bottom of it all.</p>`), ends: read },
    'nested-divs-many': { answer: html(`${deep('div', n(300_000))}text`), ends: readOrNot },
    'nested-tables': { answer: html(`${deep('table><tr><td', n(20_000))}text`), ends: readOrNot },
    'nested-lists': {
      answer: html(`<p>A list that goes down and down.</p>${deep('ul><li', n(5_000))}text`),
      ends: readOrNot,
    },
    'nested-quotes': { answer: html(`${deep('blockquote', n(3_000))}<p>${letters.slice(0, 500)}</p>`), ends: read },
    'nested-inline': { answer: html(`<p>Text ${deep('b', n(100_000))}bold</p>`), ends: read },
    'nested-links': { answer: html(`<p>Text ${deep('a href="/x"', n(50_000))}end</p>`), ends: readOrNot },
    'nested-svg': { answer: html(`${deep('svg', n(50_000))}<p>x</p>`), ends: read },
    'nested-math': { answer: html(`${text}<math>${deep('mrow', n(50_000))}<mi>x</mi>`), ends: readOrNot },
    'nested-templates': { answer: html(`${text}${deep('template', n(20_000))}x`), ends: readOrNot },
    'nested-forms': { answer: html(`${text}${deep('form><select><option', n(20_000))}x`), ends: readOrNot },
    'nested-noscript': { answer: html(`${text}${deep('noscript', n(20_000))}x`), ends: readOrNot },
    'svg-use-loop': {
      answer: html(`${text}<svg><g id="a"><use href="#b"/></g>${'<g id="b"><use href="#a"/></g>'.repeat(n(20_000))}</svg>`),
      ends: read,
    },
    'foreign-objects': {
      answer: html(`${text}${'<svg><foreignObject><div><math><mtext>'.repeat(n(10_000))}x`),
      ends: readOrNot,
    },
    'style-huge': { answer: html(`<style>${many(50_000, (i) => `.c${i}{--a:var(--a)}`)}</style>${text}`), ends: read },
    'style-import-loop': {
      answer: html(`<style>${'@import url(style-import-loop);'.repeat(n(30_000))}</style>${text}`),
      ends: read,
    },
    'unclosed-tags': { answer: html('<p>An open paragraph of text<a href=/x>link'.repeat(n(50_000))), ends: read },
    'unclosed-attribute': { answer: html(`${text}<p class="${letters}`), ends: readOrNot },
    'unclosed-brackets': { answer: html(`${text}${'<'.repeat(n(2_000_000))}`), ends: readOrNot },
    'stray-closing': { answer: html(`${deep('div', 900)}${'</b>'.repeat(n(800_000))}`), ends: readOrNot },
    'crossed-tags': { answer: html('<b><i><u><s></b></i></u></s>x'.repeat(n(20_000))), ends: readOrNot },
    'one-attribute': {
      answer: html(`<p class="${letters}${letters}">A paragraph with a very long class.</p>`),
      ends: read,
    },
    'many-attributes': { answer: html(`<p ${many(200_000, (i) => `a${i}=1 `)}>Text of the paragraph</p>`), ends: readOrNot },
    'same-attributes': { answer: html(`<p ${'class=a '.repeat(n(300_000))}>Text of the paragraph</p>`), ends: read },
    'many-elements': { answer: html('<i>x</i> '.repeat(n(500_000))), ends: readOrNot },
    'many-paragraphs': { answer: html('<p>A short one.</p>'.repeat(n(250_000))), ends: readOrNot },
    'many-headings': { answer: html(many(100_000, (i) => `<h${1 + (i % 6)}>H${i}</h${1 + (i % 6)}>`)), ends: readOrNot },
    'many-rows': {
      answer: html(`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(n(100_000))}</table>`),
      ends: readOrNot,
    },
    'many-cells': { answer: html(`<table><tr>${'<td>1</td>'.repeat(n(200_000))}</table>`), ends: readOrNot },
    'wide-spans': {
      answer: html(`<table>${'<tr><td colspan=1000 rowspan=65534>1</td></tr>'.repeat(n(10_000))}</table>`),
      ends: readOrNot,
    },
    'many-classes': { answer: html(many(60_000, (i) => `<p class="c${i} d${i}">word ${i}</p>`)), ends: readOrNot },
    'many-ids': { answer: html(many(60_000, (i) => `<div id="i${i}"><span>w${i}</span></div>`)), ends: readOrNot },
    'many-metas': { answer: html(`${many(60_000, (i) => `<meta name="m${i}" content="${i}">`)}${text}`), ends: readOrNot },
    'many-titles': { answer: html(`${'<title>A title</title>'.repeat(n(100_000))}${text}`), ends: readOrNot },
    'many-bases': { answer: html(`${'<base href="http://[">'.repeat(n(100_000))}<a href="x">a</a>${text}`), ends: readOrNot },
    'many-frames': { answer: html(`${'<iframe src="many-frames"></iframe>'.repeat(n(50_000))}${text}`), ends: readOrNot },
    'many-options': { answer: html(`<select>${'<option>o'.repeat(n(200_000))}</select>${text}`), ends: readOrNot },
    'entity-flood': { answer: html(`<p>${'&amp;&lt;&nbsp;&#x41;&unknown;'.repeat(n(150_000))}</p>`), ends: read },
    'entity-broken': { answer: html(`<p>${'&#99999999999;&#xD800;&'.repeat(n(100_000))}</p>`), ends: read },
    'entity-long': { answer: html(`<p>&#${'9'.repeat(megabyte)};&${letters};</p>${text}`), ends: read },
    'comment-open': { answer: html(`<p>Before the comment.</p><!--${letters}`), ends: read },
    'comments-many': { answer: html('<!-- x -->'.repeat(n(400_000))), ends: read },
    'script-open': { answer: html(`<p>Before the script.</p><script>${letters}`), ends: read },
    'cdata-open': { answer: html(`<p>Before.</p><![CDATA[${letters}`), ends: read },
    'doctype-huge': { answer: html(`<!DOCTYPE html "${letters}" [${letters}>${text}`), ends: read },
    'null-bytes': { answer: html(`<p>one\0two\0</p>${'\0'.repeat(megabyte)}`), ends: read },
    'control-characters': { answer: html(`<p>${'\u0001\u0007\u001b[31m'.repeat(n(100_000))} text</p>`), ends: read },
    'one-line': { answer: html(`<p>${'word '.repeat(n(900_000))}</p>`), ends: readOrNot },
    'one-word': { answer: html(`<p>${letters.repeat(4)}</p>`), ends: read },
    backticks: { answer: html(`<p><code>${'`'.repeat(megabyte)}</code></p>`), ends: read },
    'backtick-runs': { answer: html(`<pre>${'` `` '.repeat(n(500_000))}</pre>`), ends: read },
    spaces: { answer: html(`<p>a${' \n\t'.repeat(n(megabyte))}b</p>`), ends: readOrNot },
    'spaces-in-code': { answer: html(`<pre>a${'\t'.repeat(blanks)}b</pre>${text}`), ends: read },
    'lines-in-code': { answer: html(`<pre>a${' \n'.repeat(blanks / 2)}b</pre>${text}`), ends: read },
    'line-breaks': { answer: html(`<p>a${'<br>'.repeat(n(800_000))}b</p>`), ends: readOrNot },
    brackets: { answer: html(`<p>${']('.repeat(n(megabyte))}</p>`), ends: readOrNot },
    stars: { answer: html(`<p>${'*_'.repeat(n(megabyte))}</p>`), ends: readOrNot },
    pipes: { answer: html(`<table><tr><td>${'|\\'.repeat(n(megabyte))}</td></tr></table>${text}`), ends: readOrNot },
    'zero-width': { answer: html(`<p>${'\u200b\u200d\u202e\u2066\u{e0041}'.repeat(n(200_000))}seen</p>`), ends: read },
    bidi: { answer: html(`<p>${'\u202a\u202b\u202d\u202e\u2067\u2068a\u05d0'.repeat(n(100_000))}</p>`), ends: read },
    'combining-marks': { answer: html(`<p>a${'\u0301\u0489'.repeat(n(500_000))}b</p>`), ends: readOrNot },
    'emoji-joined': { answer: html(`<p>${'\u{1f469}\u200d'.repeat(n(200_000))}</p>`), ends: readOrNot },
    'json-ld-deep': {
      answer: html(`<script type="application/ld+json">${'['.repeat(n(200_000))}</script><p>Text beside it.</p>`),
      ends: read,
    },
    'json-ld-blank': {
      answer: html(`<script type="application/ld+json">{"a":1,${'\n'.repeat(blanks)}"b":2}</script><p>Text beside it.</p>`),
      ends: read,
    },
    'json-ld-wide': {
      answer: html(
        `<script type="application/ld+json">[${'{"@type":"Article"},'.repeat(n(100_000))}{}]</script><p>Text beside it.</p>`,
      ),
      ends: read,
    },
    'links-many': {
      answer: html('<p><a href="https://example.org/a">one</a> and text</p>'.repeat(n(60_000))),
      ends: readOrNot,
    },
    'links-apart': { answer: html(many(100_000, (i) => `<a href="/p/${i}">${i}</a>`)), ends: readOrNot },
    'link-long': { answer: html(`<p><a href="/${letters}${letters}">A link to far away</a></p>${text}`), ends: readOrNot },
    'data-image': { answer: html(`<img alt="${letters}" src="data:image/png;base64,${letters}">${text}`), ends: readOrNot },
    'urls-broken': { answer: html(`<p>${'<a href="http://[">x</a> '.repeat(n(100_000))}</p>`), ends: readOrNot },
    'refresh-loop': { answer: html(`<meta http-equiv="refresh" content="0;url=refresh-loop">${text}`), ends: read },
    // Charsets that are not what they say.
    'charset-unknown': { answer: html(text, { 'content-type': 'text/html; charset=klingon' }), ends: read },
    'charset-long': { answer: html(text, { 'content-type': `text/html; charset=${letters.slice(0, 8_000)}` }), ends: read },
    'charset-metas': { answer: html(`${'<meta charset="x-none">'.repeat(n(100_000))}${text}`), ends: readOrNot },
    'charset-utf16-lie': { answer: html('<meta charset="utf-16"><p>Plain enough text.</p>'), ends: read },
    'charset-utf7': {
      answer: html('<p>+ADw-script+AD4-</p>', { 'content-type': 'text/html; charset=utf-7' }),
      ends: read,
    },
    'charset-utf16-odd': {
      answer: html(Buffer.from(`${text} odd`, 'utf16le').subarray(1), { 'content-type': 'text/html; charset=utf-16' }),
      ends: read,
    },
    'charset-escapes': {
      answer: html('\u001b$B\u001b(B'.repeat(n(200_000)), { 'content-type': 'text/html; charset=iso-2022-jp' }),
      ends: read,
    },
    'charset-gb18030': {
      answer: html(Buffer.alloc(n(megabyte), 0x81), { 'content-type': 'text/html; charset=gb18030' }),
      ends: readOrNot,
    },
    'byte-order-marks': { answer: html(`${'\ufeff'.repeat(n(300_000))}${text}`), ends: read },
    'lone-surrogates': {
      answer: html(Buffer.from([0xff, 0xfe, 0x3c, 0, 0x70, 0, 0x3e, 0, 0x00, 0xd8, 0x41, 0x00])),
      ends: read,
    },
    'broken-utf8': { answer: html(Buffer.concat([Buffer.from('<p>'), Buffer.alloc(megabyte, 0xc3)])), ends: read },
    empty: { answer: html(''), ends: read },
  };
}
