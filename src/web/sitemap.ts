/**
 * The pages of a sitemap, of a sitemap index (followed three levels down) or of a plain list of URLs, gzipped or not. A file
 * is unpacked, decoded and parsed piece by piece, so memory is bounded by the URLs found, not by the unpacked size, and the event
 * loop runs between pieces.
 */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { type InTurn, withoutTurns } from '../base/fair-queue.ts';
import { createPause } from '../base/pause.ts';

/** Bytes of one file, unpacked; the limit of the sitemap protocol (sitemaps.org). */
export const maxSitemapBytes = 50 * 1024 * 1024;
/** Addresses of one file, distinct or not; the protocol's limit. What follows them is not read. */
const maxAddresses = 50_000;
/** Characters of an address; the protocol's limit. */
const maxUrlChars = 2_048;
/** Files opened for one index, and how deep indexes may be nested; set by hand. */
const maxSitemaps = 1_000;
const maxLevels = 3;
/** How long reading and parsing the files of one index may take together, ms; set by hand: a second for most of them. */
const maxReadingMs = 10 * 60_000;
/** Max. open elements, because parsing slows down with their number; a sitemap needs four. Set by hand. */
const maxDepth = 50;
/** Bytes unpacked and parsed at a time, about a millisecond; set by hand. */
const sliceBytes = 16 * 1024;

/**
 * Passes the bytes of the file at a URL to `use`, and keeps them until it has settled. Resolves and rejects as `use` does; also
 * rejects when the file cannot be read.
 */
export type ReadFile = <Result>(url: string, use: (bytes: Uint8Array) => Promise<Result>) => Promise<Result>;

export interface ListOptions {
  readonly inTurn?: InTurn;
  readonly maxMs?: number;
  /** Called for each file of an index that cannot be read or is not a sitemap; the others are still read. */
  readonly onUnread?: ((file: string, reason: string) => void) | undefined;
  /** Called if there are more pages, or may be, than are returned. */
  readonly onCut?: (() => void) | undefined;
}

/**
 * The pages that a URL names: those listed by a sitemap or list, recognised by its name (.xml or .txt, also with .gz);
 * for any other URL, and for a feed or a text with such a name, that URL. Returns distinct absolute http(s) URLs in the order of
 * the file, at most `maxPages`. Each file is read and parsed `inTurn`. Rejects with an Error `<file>: <reason>` when the file cannot
 * be read, or is a web page: a site under maintenance must not be taken for one without pages. Also rejects when the turn of a file
 * comes after the others have taken `maxMs`, and with the signal's reason.
 */
export async function listPages(
  url: string,
  maxPages: number,
  readFile: ReadFile,
  signal: AbortSignal,
  { inTurn = withoutTurns, maxMs = maxReadingMs, onUnread = () => {}, onCut = () => {} }: ListOptions = {},
): Promise<string[]> {
  if (!mayBeSitemap(url)) return [new URL(url).href];
  const pages = new Set<string>();
  const opened = new Set<string>();
  let readingMs = 0;
  const read = async (file: string) => {
    if (readingMs >= maxMs) throw new TookTooLong(`${file}: the sitemaps before it took too long`);
    const began = Date.now();
    try {
      return await readFile(file, (bytes) => parseSitemap(bytes, file, maxPages, signal));
    } finally {
      readingMs += Date.now() - began;
    }
  };
  const openChild = async (file: string, level: number): Promise<void> => {
    try {
      await open(file, level);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TookTooLong) throw error;
      onUnread(file, messageOf(error));
    }
  };
  const open = async (file: string, level: number): Promise<void> => {
    if (opened.has(file)) return;
    if (opened.size >= maxSitemaps || pages.size >= maxPages) return onCut();
    opened.add(file);
    const { kind, urls, isCut } = await inTurn(() => read(file), signal);
    if (isCut) onCut();
    if (kind === 'other' && level === 0) return void pages.add(new URL(file).href);
    if (kind === 'page' || kind === 'other') throw new Error('it is not a sitemap');
    for (const entry of urls) {
      if (kind === 'sitemap') {
        if (pages.size < maxPages) pages.add(entry);
        else if (!pages.has(entry)) onCut();
      } else if (level < maxLevels) await openChild(entry, level + 1);
      else onCut();
    }
  };
  await open(url, 0).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error instanceof TookTooLong ? error : new Error(`${url}: ${messageOf(error)}`, { cause: error });
  });
  return [...pages];
}

/** The rest of an index is given up. */
class TookTooLong extends Error {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function mayBeSitemap(url: string): boolean {
  return /\.(?:xml|txt)(?:\.gz)?$/i.test(new URL(url).pathname);
}

/** A list is a sitemap; an index has the URLs of further sitemaps; `page` is a web page, or nothing, and `other` a feed or a text. */
type FileKind = 'sitemap' | 'index' | 'page' | 'other';

interface Sitemap {
  readonly kind: FileKind;
  readonly urls: ReadonlySet<string>;
  /** Whether it has more of them. */
  readonly isCut: boolean;
}

async function parseSitemap(bytes: Uint8Array, base: string, maxUrls: number, signal: AbortSignal): Promise<Sitemap> {
  const urls = new Set<string>();
  let addresses = 0;
  let isCut = false;
  const isFull = () => urls.size >= maxUrls || addresses >= maxAddresses;
  const add = (text: string) => {
    const url = text.length <= maxUrlChars ? toHttpUrl(text.trim(), base) : undefined;
    if (isFull()) isCut ||= url !== undefined && !urls.has(url);
    else {
      addresses += 1;
      if (url !== undefined) urls.add(url);
    }
  };
  const decoder = new TextDecoder();
  let parser: ReturnType<typeof parseXml> | ReturnType<typeof parseList> | undefined;
  const write = (text: string) => {
    // XML and lists can only be distinguished once there is a character.
    if (parser === undefined && text.trim() === '') return;
    parser ??= /^\s*</.test(text) ? parseXml(add) : parseList(add, base);
    parser.write(text);
  };
  const pause = createPause();
  for await (const chunk of unpack(bytes)) {
    await pause();
    signal.throwIfAborted();
    write(decoder.decode(chunk, { stream: true }));
    if (isCut) break;
  }
  write(decoder.decode());
  parser?.end();
  return { kind: parser?.kind() ?? 'page', urls, isCut };
}

async function* unpack(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const slices = function* () {
    for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
  };
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return yield* slices();
  const source = Readable.from(slices());
  const unpacked = source.pipe(createGunzip());
  let size = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxSitemapBytes) throw new Error('expected at most 50 MB once unpacked');
      yield chunk;
    }
  } finally {
    unpacked.destroy();
    source.destroy();
  }
}

/** The `loc` elements of the sitemap's own namespace prefix: `image:loc` and the like are not pages. */
function parseXml(add: (text: string) => void) {
  let root: Root | undefined;
  let depth = 0;
  let location: string | undefined;
  const parser = new Parser(
    {
      onopentagname(name) {
        depth += 1;
        if (depth > maxDepth) throw new Error(`expected a sitemap; its elements are nested more than ${maxDepth} deep`);
        if (root === undefined) root = rootOf(name);
        else if (root.loc !== undefined && name === root.loc) location = '';
      },
      ontext(text) {
        if (location !== undefined && location.length <= maxUrlChars) location += text;
      },
      onclosetag(name) {
        depth -= 1;
        if (location === undefined || name !== root?.loc) return;
        add(location);
        location = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return {
    write: (text: string) => parser.write(text),
    end: () => parser.end(),
    kind: () => root?.kind ?? 'page',
  };
}

interface Root {
  readonly kind: FileKind;
  /** The name of the elements with addresses. */
  readonly loc?: string;
}

function rootOf(name: string): Root {
  const [, prefix = '', kind] = /^(\w{1,20}:)?(urlset|sitemapindex)$/.exec(name) ?? [];
  if (kind !== undefined) return { kind: kind === 'urlset' ? 'sitemap' : 'index', loc: `${prefix}loc` };
  return { kind: /^(?:html|head|body|title|meta|script|div|p|h1|center)$/i.test(name) ? 'page' : 'other' };
}

/** One URL per line; other lines are skipped. If most are others, it is a text, or what a site says instead of an XML file. */
function parseList(add: (text: string) => void, file: string) {
  const text: FileKind = /\.txt(?:\.gz)?$/i.test(new URL(file).pathname) ? 'other' : 'page';
  let rest = '';
  let addresses = 0;
  let others = 0;
  const addLine = (line: string) => {
    if (/^\s*https?:\/\//i.test(line)) {
      addresses += 1;
      add(line);
    } else if (/^\s*[^\s#]/.test(line)) others += 1;
  };
  return {
    write(text: string) {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      // A line too long to be an address is not collected.
      if (rest.length > maxUrlChars) rest = rest.slice(0, maxUrlChars + 1);
      lines.forEach(addLine);
    },
    end: () => addLine(rest),
    kind: (): FileKind => (addresses > 0 && addresses >= others ? 'sitemap' : text),
  };
}

function toHttpUrl(text: string, base: string): string | undefined {
  if (!URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  url.hash = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}
