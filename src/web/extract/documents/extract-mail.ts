/**
 * A mail (RFC 5322 and MIME) as text: the lines of its sender, recipients, day and subject in the form in which people keep mails as
 * text, then what it says. Of attachments only their names are kept.
 */
import { isUtf8 } from 'node:buffer';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { decodeText, decodeUndeclared } from '../../../base/text/encoding/charset.ts';
import { cleanLine, cleanText, cutText } from '../../../base/text/encoding/clean-text.ts';
import { latinAsWindows } from '../../../base/text/encoding/decode-as.ts';
import { subjectOf } from '../../../base/text/lines/mail-lines.ts';
import { extractText } from '../extract-plain.ts';
import { countWords, type Extraction, maxTextChars } from '../extraction.ts';
import { segment } from '../html/blocks.ts';
import { parseHtml } from '../html/html-tree.ts';
import { renderMarkdown } from '../html/markdown.ts';
import { pruneHidden } from '../html/prune-hidden.ts';
import { isoDate } from '../metadata.ts';
import { excerptMail } from './mail-excerpt.ts';

/**
 * Bounds of the parser, which rejects what exceeds them. Set by hand: real mails have about ten parts inside each other. It returns
 * mails within a mail as attachments, because it would write their dates in the form and the zone of this machine.
 */
const limits = { maxNestingDepth: 50, maxHeadersSize: 1024 * 1024, maxRfc822NestingDepth: 0 };
/** Mails inside each other, and all mails within one, such as a digest of a mailing list. Set by hand. */
const maxMailDepth = 5;
const maxInnerMails = 5_000;

/** Characters of a line above the mail: `subjectOf` reads 500. */
const maxLineChars = 480;
const maxSubjectChars = 300;
const maxNames = 100;
const maxShortChars = 100_000;
/**
 * The HTML is used if it has this many times the words of the text, which then only says that there is HTML. Set by hand.
 */
const stubFactor = 4;
const minHtmlWords = 40;

/** Reads a mail; a file without any header of a mail is read as plain text. Rejects if parts are nested too deeply, or headers are too long. */
export async function extractMail(bytes: Uint8Array, url: string): Promise<Extraction> {
  const excerpt = excerptMail(bytes);
  const mail = await PostalMime.parse(inUtf8(excerpt.bytes), limits);
  if (mail.from === undefined && mail.subject === undefined && mail.date === undefined && mail.to === undefined)
    return extractText(decodeText(bytes, ''));
  const headers = headerLines(mail);
  const within = { mails: 0, chars: 0, isCut: false };
  const { body, files } = await contentOf(mail, url, 0, within);
  const names = files.flatMap(({ filename, related }) => (filename === null || related ? [] : [filename]));
  const attached = joinedWithin(
    names.slice(0, maxNames).map((name) => cleanLine(latinAsWindows(name))),
    10 * maxLineChars,
  );
  const all = [
    cleanText(headers),
    body.slice(0, maxTextChars),
    attached === '' ? '' : `Attachments: ${attached}`,
  ].filter((part) => part !== '');
  const text = cleanText(all.join('\n\n').slice(0, maxTextChars).toWellFormed()).trim();
  const byline = cutText(
    cleanLine(latinAsWindows(mail.from === undefined ? '' : mail.from.name || (mail.from.address ?? ''))),
    200,
  );
  const published = isoDate(mail.date);
  return {
    text,
    title: cutText(cleanLine(subjectOf(headers) ?? ''), 200),
    ...(byline === '' ? {} : { byline }),
    ...(published === undefined ? {} : { published_at: published }),
    words: countWords(text),
    links: [],
    extractor: 'mail',
    // What is left out of a mail with a short text belongs to its attachments.
    truncated: text.length >= maxTextChars || within.isCut || (excerpt.isCut && body.length > maxShortChars),
    warnings: [],
  };
}

/**
 * A mail whose headers, which name no charset, are UTF-8, and all of which is if no part of it names one. A byte order mark, which
 * editors write, would be part of the first header.
 */
function inUtf8(bytes: Uint8Array): Uint8Array {
  const mail = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  if (isUtf8(mail)) return mail;
  const latin = Buffer.from(mail.buffer, mail.byteOffset, mail.length).toString('latin1');
  if (!/charset\*?\d*\*?=/i.test(latin)) return Buffer.from(decodeUndeclared(mail));
  const end = /\r?\n\r?\n/.exec(latin)?.index ?? mail.length;
  return Buffer.concat([Buffer.from(decodeUndeclared(mail.subarray(0, end))), mail.subarray(end)]);
}

/** The mails within a mail that have been read, their characters, and whether any was left out. */
interface InnerMails {
  mails: number;
  chars: number;
  isCut: boolean;
}

/** What a mail and the mails within it say, and their other attachments. */
async function contentOf(
  mail: Email,
  url: string,
  depth: number,
  within: InnerMails,
): Promise<{ readonly body: string; readonly files: readonly Attachment[] }> {
  const parts = [bodyOf(mail, url)];
  within.chars += parts[0]!.length;
  const files: Attachment[] = [];
  for (const file of mail.attachments) {
    if (file.rfc822DepthExceeded !== true) files.push(file);
    else if (depth >= maxMailDepth || within.mails >= maxInnerMails || within.chars >= maxTextChars)
      within.isCut = true;
    else {
      within.mails += 1;
      const inner = await PostalMime.parse(inUtf8(bytesOf(file)), limits);
      const lines = cleanText(headerLines(inner));
      within.chars += lines.length;
      const content = await contentOf(inner, url, depth + 1, within);
      parts.push(lines, content.body);
      for (const each of content.files) files.push(each);
    }
  }
  const body = parts.filter((part) => part !== '').join('\n\n');
  return { body: body === '' ? appointmentsIn(mail.attachments) : body, files };
}

/** Invitations, for a mail that is nothing else; their lines are put together where they were wrapped (RFC 5545, 3.1). */
function appointmentsIn(files: readonly Attachment[]): string {
  return files
    .filter(({ mimeType }) => mimeType === 'text/calendar' || mimeType === 'application/ics')
    .map((file) => cleanText(decodeUndeclared(bytesOf(file)).slice(0, maxTextChars)).replace(/\n[ \t]/g, ''))
    .map((lines) =>
      lines
        .replace(/\\([,;\\])/g, '$1')
        .replace(/\\n/gi, ' ')
        .trim(),
    )
    .join('\n\n');
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}

function headerLines({ from, to, cc, date, subject, headers }: Email): string {
  const written = headers.find(({ key }) => key === 'date')?.value ?? date;
  const lines: readonly (readonly [name: string, value: string])[] = [
    ['From', from === undefined ? '' : nameOf(from)],
    ['To', joinedWithin((to ?? []).map(nameOf), maxLineChars)],
    ['Cc', joinedWithin((cc ?? []).map(nameOf), maxLineChars)],
    ['Date', cleanLine(written ?? '').slice(0, 100)],
    ['Subject', cleanLine(latinAsWindows(subject ?? '')).slice(0, maxSubjectChars)],
  ];
  return lines
    .flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value.slice(0, maxLineChars)}`]))
    .join('\n');
}

/** `Ada Byron <ada@example.org>`, or the name of a group of recipients. */
function nameOf({ name, address }: Address): string {
  const shown = cleanLine(latinAsWindows(name));
  if (address === undefined || address === '') return shown;
  return shown === '' || shown === address ? cleanLine(address) : `${shown} <${cleanLine(address)}>`;
}

/** As many of them, with commas, as have room. */
function joinedWithin(names: readonly string[], maxChars: number): string {
  let joined = '';
  for (const name of names) {
    if (joined.length + name.length + separators > maxChars)
      return joined === '' ? name.slice(0, maxChars) : `${joined}, …`;
    joined += `${joined === '' || name === '' ? '' : ', '}${name}`;
  }
  return joined;
}

/** Characters of the commas around a name. */
const separators = 5;

function bodyOf({ text = '', html: given = '' }: Email, url: string): string {
  // The parser reads windows-1252 as Node does.
  const plain = cleanText(latinAsWindows(text.slice(0, 2 * maxTextChars))).trim();
  const html = latinAsWindows(given);
  if (html === '') return plain;
  if (plain !== '' && html.length < stubFactor * plain.length) return plain;
  const tree = parseHtml(html);
  pruneHidden(tree.root);
  const shown = renderMarkdown(segment(tree.root).layout, () => true, url).trim();
  return plain !== '' && countWords(shown) < Math.max(minHtmlWords, stubFactor * countWords(plain)) ? plain : shown;
}
