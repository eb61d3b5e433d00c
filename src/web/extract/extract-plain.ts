/** Pages that are already text: Markdown and plain text unchanged, JSON indented in a code block. */

import { frontMatterEnd } from '../../../protocol/front-matter.ts';
import { cleanLine, cleanText, cutText } from '../../base/text/encoding/clean-text.ts';
import { startOfMessage } from '../../base/text/lines/chat-lines.ts';
import { fenceAfter } from '../../base/text/lines/fences.ts';
import { settingOf } from '../../base/text/lines/front-matter.ts';
import { subjectOf } from '../../base/text/lines/mail-lines.ts';
import { countWords, type Extraction, maxTextChars } from './extraction.ts';
import { indentJson } from './indent-json.ts';
import { isoDate } from './metadata.ts';

/** Markdown without its front matter, which supplies the title and date. */
export function extractMarkdown(source: string): Extraction {
  const text = cleanText(source);
  const body = text.slice(frontMatterEnd(text));
  const title = settingOf(text, 'title') ?? headingIn(body);
  const published = isoDate(settingOf(text, 'date'));
  return {
    ...plain(body, 'markdown'),
    title: titleFrom(title),
    ...(published === undefined ? {} : { published_at: published }),
  };
}

/** The first heading of the first level outside code, without the marks that may close it. */
function headingIn(text: string): string | undefined {
  let fence: string | undefined;
  let above = '';
  for (const line of text.split('\n')) {
    const before = fence;
    fence = fenceAfter(before, line);
    if (before !== undefined || fence !== undefined) {
      above = '';
      continue;
    }
    if (/^#[ \t]+\S/.test(line)) return withoutMarks(line.slice(1).trim());
    if (/^=+$/.test(line) && above !== '') return above;
    above = line.trim();
  }
  return undefined;
}

function withoutMarks(line: string): string {
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
