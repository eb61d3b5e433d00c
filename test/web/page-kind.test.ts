/** The format of a file is recognised by its first bytes, on the thread that serves every account: no bytes may hold it up. */
import { describe, expect, it } from 'vitest';
import { pageKindOf } from '../../src/web/extract/page-kind.ts';

const kindOf = (text: string) => pageKindOf(Buffer.from(text), { contentType: '', url: 'file:///notes' });

describe('the format of a file', () => {
  it.each([
    ['<p>A note.</p>', 'html'],
    ['\n <!-- made by hand -->\n<!---->\n<!DOCTYPE html><p>A note.</p>', 'html'],
    ['<!-- a > b -- c --><html>', 'html'],
    ['<!-- made by hand -->\n# Notes', 'text'],
    ['<!-- not ended <p>A note.</p>', 'text'],
  ])('is found after comments: %j', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  it.each([
    ['README.md', '<p align="center"><img src="a.png"></p>\n\n# Crane', 'markdown'],
    ['README.markdown', '<h1>Crane</h1>\n\nIt *lifts*.', 'markdown'],
    ['page.mdx', '<div>\n\n# Crane', 'markdown'],
    ['page.md', '<!-- made by hand -->\n<div>\n\n# Crane', 'markdown'],
    ['page.md', '<!doctype html><p>A page.</p>', 'html'],
    ['page.md', '\x00\x01', undefined],
    ['page.html', '<article><p>A page.</p></article>', 'html'],
    ['page.htm', '<section>A page.</section>', 'html'],
    ['page.xhtml', '<main>A page.</main>', 'html'],
    ['page.html', '\x00\x01', undefined],
    ['page', '\ufeff<!doctype html><p>A page.</p>', 'html'],
    ['page', '\ufeff\n<rss version="2.0"></rss>', 'xml'],
    ['notes.txt', '<article>A note.', 'text'],
    ['table.csv', '\ufeffa,b', 'csv'],
  ])('is that of its name, unless it is a page: %s, %j', (name, text, kind) => {
    expect(pageKindOf(Buffer.from(text), { contentType: '', url: `file:///${name}` })).toBe(kind);
  });

  it.each([
    ['<?xml version="1.0"?>\n<!-- made -->\n<rss version="2.0"><channel/></rss>', 'xml'],
    ['<feed xmlns="http://www.w3.org/2005/Atom"></feed>', 'xml'],
    ['<?xml version="1.0"?><rdf:RDF><channel/></rdf:RDF>', 'xml'],
    ['<?xml version="1.0"?><!DOCTYPE html><html><body><p>A page.</p></body></html>', 'html'],
    ['<p>How to write <rss> and <feed>.</p>', 'html'],
    ['<feedback>A page.</feedback>', 'html'],
  ])('is that of a feed that was sent as HTML: %j', (text, kind) => {
    expect(pageKindOf(Buffer.from(text), { contentType: 'text/html; charset=utf-8', url: 'https://a.test/' })).toBe(
      kind,
    );
  });

  it.each([
    ['text/csv', 'a;b', 'csv'],
    ['application/csv', 'a;b', 'csv'],
    ['text/x-csv; charset=utf-8', 'a;b', 'csv'],
    ['text/comma-separated-values', 'a,b', 'csv'],
    ['application/vnd.ms-excel', 'a;b', 'csv'],
    ['application/vnd.ms-excel', '<table><tr><td>a</td></tr></table>', 'html'],
    ['application/vnd.ms-excel', '\x00\x01', undefined],
  ])('is found where a table is sent as %s: %j', (contentType, text, kind) => {
    expect(pageKindOf(Buffer.from(text), { contentType, url: 'https://a.test/export' })).toBe(kind);
  });

  it.each([
    ['notes.txt', 'Größe: 5', 'text'],
    ['table.csv', 'Größe;5', 'csv'],
    ['page', '<html><p>Größe</p>', 'html'],
  ])('is found in UTF-16, too: %s', (name, text, kind) => {
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const bytes of [wide, Buffer.from(wide).swap16()])
      expect(pageKindOf(bytes, { contentType: '', url: `file:///${name}` })).toBe(kind);
  });

  // Each comment more took twice the time: 23 of them a second, and 70 for ever.
  it.each(['<!-- a -->\n', '<!---->', '<!-- -->\n\n<!--', '-->'])(
    'is found in text of many comments and no page: %j',
    (comment) => {
      expect(kindOf(`<!-- a -->${comment.repeat(70)}# Notes`)).toBe('text');
    },
  );
});
