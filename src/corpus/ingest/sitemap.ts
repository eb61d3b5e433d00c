/** The addresses in a sitemap, a sitemap index (followed, three levels down) or a plain list, compressed or not. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unzip = promisify(gunzip);
/** What the sitemap protocol allows of one file, unpacked. */
const largestBytes = 50 * 1024 * 1024;
const mostSitemaps = 1000;

/** Whether a URL is meant to be read as a sitemap or list rather than as a page. */
export function isSitemap(url: string): boolean {
  return /\.(?:xml|xml\.gz|txt|txt\.gz)$/i.test(new URL(url).pathname);
}

/** Every page's URL, once, in order, at most `most`. `read` gives a file's decoded bytes. */
export async function readSitemap(
  url: string,
  most: number,
  read: (url: string) => Promise<Uint8Array>,
): Promise<string[]> {
  const pages = new Set<string>();
  const opened = new Set<string>();
  const open = async (address: string, depth: number): Promise<void> => {
    if (opened.has(address) || opened.size >= mostSitemaps || pages.size >= most) return;
    opened.add(address);
    const text = await decodeSitemap(await read(address));
    const found = /<(?:\w{1,20}:)?(?:urlset|sitemapindex)[\s>]/.test(text) ? readLocations(text) : readList(text);
    const isIndex = /<(?:\w{1,20}:)?sitemapindex[\s>]/.test(text);
    for (const entry of found) {
      const absolute = toHttpUrl(entry, address);
      if (absolute === undefined) continue;
      if (!isIndex) {
        if (pages.size < most) pages.add(absolute);
      } else if (depth < 3) await open(absolute, depth + 1);
    }
  };
  await open(url, 0);
  return [...pages];
}

async function decodeSitemap(bytes: Uint8Array): Promise<string> {
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return new TextDecoder().decode(zipped ? await unzip(bytes, { maxOutputLength: largestBytes }) : bytes);
}

function readLocations(xml: string): string[] {
  const found = xml.matchAll(/<(?:\w{1,20}:)?loc>\s*(?:<!\[CDATA\[)?([^<>\]]{1,2100})/g);
  return [...found].map((match) => decodeEntities(match[1] ?? '').trim());
}

function readList(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//i.test(line));
}

function toHttpUrl(text: string, base: string): string | undefined {
  try {
    const url = new URL(text, base);
    url.hash = '';
    return /^https?:$/.test(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

function decodeEntities(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => named[name] ?? '');
}
