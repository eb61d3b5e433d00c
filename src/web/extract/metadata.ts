/**
 * The metadata that a page declares: title, byline, site, dates, language, canonical URL and type, from JSON-LD, meta elements
 * and microdata. None of it is trusted: it is cleaned and cut to length, and the reader checks the canonical URL.
 */

import { isoDay } from '../../base/text/dates/iso-day.ts';
import { cleanLine, cutText } from '../../base/text/encoding/clean-text.ts';
import { dayMs } from '../../base/values/day.ts';
import { parseHitDate } from '../providers/hit-date.ts';
import { innerText, rawText } from './html/blocks.ts';
import { elementsOf, type HtmlElement, type HtmlTree, select } from './html/html-tree.ts';
import { bodiesIn, nameIn, parseJsonLd, textIn, typesOf } from './json-ld.ts';

export interface Metadata {
  readonly title: string;
  readonly byline?: string;
  readonly site_name?: string;
  /** ISO 8601. */
  readonly published_at?: string;
  readonly modified_at?: string;
  /** BCP 47, as the page states it. */
  readonly language?: string;
  readonly canonical_url?: string;
  /** Where the page redirects by itself within a few seconds: an absolute URL. */
  readonly refresh?: string;
  /** schema.org types, lower case, of JSON-LD and microdata. */
  readonly types: ReadonlySet<string>;
  /** Open Graph's type, lower case. */
  readonly og_type: string;
  readonly description: string;
  /** The bodies and descriptions in JSON-LD, in order; they may contain HTML. */
  readonly bodies: readonly string[];
}

/** The metadata of a page served at `url`. Never throws: what cannot be parsed is left out. */
export function readMetadata(tree: HtmlTree, url: string): Metadata {
  const found = collect(tree);
  const things = tree.jsonLd.flatMap(parseJsonLd);
  const main = things.find((thing) =>
    typesOf(thing).some((type) => /article|posting|report|product|question/.test(type)),
  );
  const meta = (...names: string[]) =>
    names.map((name) => found.meta.get(name)).find((value) => value !== undefined && value !== '');

  const site = cut(
    meta('og:site_name', 'application-name', 'twitter:site')?.replace(/^@/, '') ?? nameIn(main?.publisher),
    200,
  );
  const heading = found.h1 === undefined ? '' : cleanLine(rawText(found.h1));
  const documentTitle = found.title === undefined ? '' : cleanLine(innerText(found.title));
  const title = bareTitle(
    meta('og:title', 'twitter:title', 'citation_title', 'dc.title') ?? textIn(main?.headline) ?? documentTitle,
    heading,
    site,
  );
  const optional = {
    byline: cut(
      nameIn(main?.author) ??
        meta('author', 'article:author', 'citation_author', 'dc.creator', 'parsely-author') ??
        found.author,
      200,
    ),
    site_name: site,
    published_at: isoDate(
      textIn(main?.datePublished) ??
        meta(
          'article:published_time',
          'citation_publication_date',
          'dc.date',
          'dcterms.date',
          'date',
          'pubdate',
          'parsely-pub-date',
        ) ??
        found.published,
    ),
    modified_at: isoDate(
      textIn(main?.dateModified) ?? meta('article:modified_time', 'og:updated_time', 'last-modified') ?? found.modified,
    ),
    language: languageTag(found.language ?? meta('content-language', 'og:locale') ?? textIn(main?.inLanguage)),
    canonical_url: absolute(found.canonical ?? meta('og:url'), url),
    refresh: absolute(refreshIn(meta('refresh') ?? ''), url),
  };
  return {
    title: cutText(title, 500),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined && value !== '')),
    types: new Set([...things.flatMap(typesOf), ...found.itemTypes]),
    og_type: (meta('og:type') ?? '').toLowerCase(),
    description: cut(meta('og:description', 'description', 'twitter:description'), 1_000) ?? '',
    bodies: bodiesIn(things),
  };
}

/** Seconds within which a page that leads elsewhere is not meant to be read. Set by hand. */
const maxRefreshSeconds = 5;

/** The target of `<meta http-equiv="refresh" content="0; url=/latest/">`. */
function refreshIn(content: string): string | undefined {
  const [, seconds, url] = /^\s*(\d{1,6}(?:\.\d+)?)\s*[;,]\s*url\s*=\s*["']?([^"'\s]+)/i.exec(content) ?? [];
  return seconds !== undefined && Number(seconds) <= maxRefreshSeconds ? url : undefined;
}

/**
 * A date in any common format, as ISO 8601: in UTC, or a day if it has no time, or a time in words without a zone. `31.01.2024` has
 * the day first; of `03/04/2024` nobody knows. Undefined before 1990 or over a year ahead.
 */
export function isoDate(value: string | undefined): string | undefined {
  const text = value?.trim().slice(0, 60) ?? '';
  const found = numericDayOf(text) ?? momentIn(text);
  const at = Date.parse(found ?? '');
  if (Number.isNaN(at) || new Date(at).getUTCFullYear() < 1990 || at > Date.now() + 366 * dayMs) return undefined;
  return found;
}

/** The day of a date in numbers that has no time; empty for one that no calendar has. */
function numericDayOf(text: string): string | undefined {
  const [, year, month = '01', day = '01'] =
    /^(\d{4})(?:([-/.]?)(\d{1,2})(?:\2(\d{1,2}))?)?$/.exec(text)?.filter((_, at) => at !== 2) ?? [];
  if (year !== undefined) return validDay(year, month, day);
  const [, first, sign, second, lastYear] = /^(\d{1,2})([./])\s?(\d{1,2})\2\s?(\d{4})\b/.exec(text) ?? [];
  if (lastYear === undefined) return undefined;
  if (sign === '.' || Number(first) > 12) return validDay(lastYear, second!, first!);
  return Number(second) > 12 ? validDay(lastYear, first!, second!) : undefined;
}

function validDay(year: string, month: string, day: string): string {
  return isoDay(Number(year), Number(month), Number(day)) ?? '';
}

function momentIn(text: string): string | undefined {
  if (/\bago$/i.test(text) || !/\d{4}/.test(text)) return undefined;
  if (/\d:\d{2}.*?(?:\b(?:GMT|UTC?|[ECMP][SD]T)\b|Z$|[+-]\d{2}:?\d{2}\b)/i.test(text)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? parseHitDate(text) : new Date(at).toISOString();
  }
  const isNumeric = /^\d{4}[-/.]/.test(text);
  // Without a zone, a time beside the name of a month would be taken for one of the place where this runs.
  const day = text.replace(/^[a-z]{3,9}\.? (?=[a-z]{3,9}\.? \d)/i, '').replace(/[ ,]+(?:at )?\d{1,2}:\d{2}.*$/, '');
  const found = parseHitDate(isNumeric ? text : day);
  return isNumeric && /\d:\d{2}/.test(text) ? found : found?.slice(0, 10);
}

interface Found {
  /** By name, lower case: the first value that is not blank. */
  readonly meta: ReadonlyMap<string, string>;
  readonly itemTypes: readonly string[];
  readonly title: HtmlElement | undefined;
  readonly h1: HtmlElement | undefined;
  readonly canonical: string | undefined;
  readonly language: string | undefined;
  readonly author: string | undefined;
  readonly published: string | undefined;
  readonly modified: string | undefined;
}

const metadataTags = new Set(['html', 'title', 'meta', 'link', 'h1', 'time']);

/**
 * The elements that may contain metadata, in document order. Selectors run on these few only: running them on the whole tree
 * took 2 % of the CPU time of a page.
 */
function metadataElements(element: HtmlElement, found: HtmlElement[] = []): HtmlElement[] {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const { itemtype, itemprop, rel } = child.attribs;
    if (metadataTags.has(child.name) || itemtype !== undefined || itemprop !== undefined || rel !== undefined)
      found.push(child);
    metadataElements(child, found);
  }
  return found;
}

/** Collects the metadata; of each kind, the first in document order is used. */
function collect(tree: HtmlTree): Found {
  const all = select(tree, metadataElements(tree.root));
  const first = (selector: string) => elementsOf(all.filter(selector))[0];
  const date = (element: HtmlElement | undefined) =>
    element && (element.attribs.content ?? element.attribs.datetime ?? rawText(element));
  const published = elementsOf(all.filter('time[datetime], [itemprop=datePublished]')).find(
    (element) => element.attribs.itemprop === 'datePublished' || isPublished(element),
  );
  return {
    meta: readMeta(elementsOf(all.filter('meta'))),
    itemTypes: elementsOf(all.filter('[itemtype]:not([itemtype=""])')).map(({ attribs }) =>
      attribs.itemtype!.toLowerCase().replace(/^.*[/#]/, ''),
    ),
    title: first('title'),
    h1: first('h1'),
    canonical: first('link[rel~=canonical i][href]:not([href=""])')?.attribs.href,
    language: first('html[lang]:not([lang=""])')?.attribs.lang,
    author: elementsOf(all.filter('[rel=author], [itemprop=author]'))
      .map(authorIn)
      .find((name) => name !== undefined),
    published: published !== undefined && isPublished(published) ? published.attribs.datetime : date(published),
    modified: date(first('[itemprop=dateModified]')),
  };
}

function readMeta(elements: readonly HtmlElement[]): Map<string, string> {
  const meta = new Map<string, string>();
  for (const { attribs } of elements) {
    const name = (attribs.property ?? attribs.name ?? attribs['http-equiv'] ?? '').toLowerCase();
    const value = cleanLine(attribs.content ?? '');
    if (name !== '' && value !== '' && !meta.has(name)) meta.set(name, value);
  }
  return meta;
}

/** Whether it is a `time` that its class or `pubdate` attribute marks as the publication date. */
function isPublished({ name, attribs }: HtmlElement): boolean {
  if (name !== 'time' || !attribs.datetime) return false;
  return (
    attribs.pubdate !== undefined || /\b(published|entry-date|post-date|dt-published)\b/i.test(attribs.class ?? '')
  );
}

function authorIn(element: HtmlElement): string | undefined {
  const name = cleanLine(element.attribs.content ?? rawText(element));
  return name.length > 1 && name.length < 100 ? name : undefined;
}

/** "Headline | Site" without the site, if the page's heading or the site's name matches a part. */
function bareTitle(declared: string, heading: string, site: string | undefined): string {
  const title = declared === '' ? heading : declared;
  const parts = title.split(/\s+[|–—·»-]\s+/);
  if (parts.length < 2) return title;
  if (heading !== '' && title.startsWith(heading) && heading.length > 10) return heading;
  const last = parts.at(-1)!;
  if (site !== undefined && last.toLowerCase() === site.toLowerCase())
    return title.slice(0, title.lastIndexOf(last)).replace(/\s+[|–—·»-]\s+$/, '');
  return title;
}

function languageTag(declared: string | undefined): string | undefined {
  const tag = declared?.trim().replace('_', '-') ?? '';
  return /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.test(tag) ? tag : undefined;
}

function absolute(href: string | undefined, base: string): string | undefined {
  if (href === undefined || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  url.hash = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

function cut(value: string | undefined, length: number): string | undefined {
  return value === undefined ? undefined : cutText(value, length);
}
