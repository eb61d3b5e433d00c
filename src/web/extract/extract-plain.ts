/** Pages that are already text: Markdown and plain text unchanged, JSON indented in a code block. */

import { cleanLine, cleanText, cutText } from '../../base/text/encoding/clean-text.ts';
import { startOfMessage } from '../../base/text/lines/chat-lines.ts';
import { subjectOf } from '../../base/text/lines/mail-lines.ts';
import { countWords, type Extraction, maxTextChars } from './extraction.ts';
import { indentJson } from './indent-json.ts';
import { isoDate } from './metadata.ts';

/** Markdown without its front matter, which supplies the title and date. */
export function extractMarkdown(source: string): Extraction {
  const text = cleanText(source);
  const matter = /^---\n([\s\S]{0,5000}?)\n---\n/.exec(text);
  const body = matter === null ? text : text.slice(matter[0].length);
  const field = (name: string) => new RegExp(`^${name}:\\s*["']?(.+?)["']?\\s*$`, 'im').exec(matter?.[1] ?? '')?.[1];
  const title = field('title') ?? headingIn(body) ?? /^(.+)\n=+$/m.exec(body)?.[1];
  const published = isoDate(field('date'));
  return {
    ...plain(body, 'markdown'),
    title: titleFrom(title),
    ...(published === undefined ? {} : { published_at: published }),
  };
}

/** The first heading of the first level, without the marks that may close it. */
function headingIn(text: string): string | undefined {
  const line = /^#[ \t]+(\S.*)$/m.exec(text)?.[1]?.trimEnd();
  if (line === undefined) return undefined;
  let end = line.length;
  while (end > 1 && line[end - 1] === '#') end -= 1;
  return line.slice(0, end);
}

/** Plain text; the subject of a mail is the title, else the first line, unless that is a message of a chat. */
export function extractText(source: string): Extraction {
  const text = cleanText(source);
  const first = /^.*\S.*$/m.exec(text)?.[0] ?? '';
  const title = subjectOf(text) ?? (startOfMessage(first) === undefined ? first : '');
  return { ...plain(text, 'text'), title: titleFrom(title) };
}

/** JSON, indented, in a code block; text that is not JSON is kept as it is, with a warning. */
export function extractJson(source: string): Extraction {
  let text = source;
  const warnings: string[] = [];
  try {
    JSON.parse(source);
    text = indentJson(source);
  } catch {
    warnings.push('The page was served as JSON but is not valid JSON; its text is returned unchanged.');
  }
  const whole = cleanText(text);
  const code = whole.slice(0, maxTextChars - 20);
  const truncated = whole.length > code.length;
  return { ...plain(`\`\`\`json\n${code}\n\`\`\``, 'json'), title: '', truncated, warnings };
}

function plain(text: string, extractor: string): Extraction {
  const body = text.trim();
  const kept = body.slice(0, maxTextChars).toWellFormed();
  return {
    text: kept,
    title: '',
    words: countWords(kept),
    links: [],
    extractor,
    truncated: body.length > kept.length,
    warnings: [],
  };
}

function titleFrom(line: string | undefined): string {
  return cutText(cleanLine(line ?? ''), 200);
}
