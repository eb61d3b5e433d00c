/** A file's bytes as a page: decoded, with LF line ends and a title. */
import { subjectOf } from '../../base/text/lines/mail-lines.ts';
import { frontMatterEnd, labelLevel, readBlocks } from './markdown-blocks.ts';

/** Text with LF line ends, no BOM, no lone surrogates; undefined for binary content. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const text = decode(bytes);
  if (text === undefined || text.includes('\0')) return undefined;
  return text.replace(/\r\n?/g, '\n').toWellFormed();
}

/** The title in the front matter, else the subject of a mail, else the first heading, else `fallback`. */
export function titleOf(text: string, fallback: string): string {
  const settings = text.slice(0, frontMatterEnd(text));
  const named = /^title:[ \t]*(["']?)(.{1,200}?)\1[ \t]*$/m.exec(settings)?.[2]?.trim();
  if (named !== undefined && named !== '') return named;
  const head = text.slice(0, 20_000);
  return (
    subjectOf(head) ??
    readBlocks(head).find((block) => block.level > 0 && block.level < labelLevel && block.heading !== '')?.heading ??
    fallback
  );
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.subarray(0, 8000).includes(0) ? undefined : new TextDecoder('windows-1252').decode(bytes);
  }
}
