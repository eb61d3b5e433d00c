/** A file's bytes as a page: decoded, with LF line ends, a title and a date. */
import { decodeUndeclared, utf16By } from '../../base/text/encoding/charset.ts';
import { cleanText } from '../../base/text/encoding/clean-text.ts';
import { settingOf } from '../../base/text/lines/front-matter.ts';
import { subjectOf } from '../../base/text/lines/mail-lines.ts';
import { readBlocks } from './markdown-blocks.ts';

/** Text with LF line ends, without a byte order mark and invisible characters; undefined for binary content. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (utf16By(bytes) === undefined && bytes.includes(0)) return undefined;
  const text = decodeUndeclared(bytes);
  return text.includes('\0') ? undefined : cleanText(text);
}

/** The title in the front matter, else the subject of a mail, else the first heading of level 1, else `fallback`. */
export function titleOf(text: string, fallback: string): string {
  const named = settingOf(text, 'title');
  if (named !== undefined) return named;
  const head = text.slice(0, 20_000);
  // Headings below that divide a page: every daily note may begin with "Tasks".
  return (
    subjectOf(head) ?? readBlocks(head).find(({ level, heading }) => level === 1 && heading !== '')?.heading ?? fallback
  );
}

/** The date in the front matter, as ISO 8601. */
export function dateOf(text: string): string | undefined {
  const [, day, time = ''] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d.{0,30}))?$/.exec(settingOf(text, 'date') ?? '') ?? [];
  const start = Date.parse(day ?? '');
  // The 31st of February is read as the 2nd of March.
  if (day === undefined || Number.isNaN(start) || !new Date(start).toISOString().startsWith(day)) return undefined;
  const said = time.trim().replace(/ (?=[+-]\d)/, '');
  // Without a zone it would be a time of the place where this runs.
  const at = Date.parse(`${day}T${said}${/(?:Z|[+-]\d\d:?\d\d)$/i.test(said) ? '' : 'Z'}`);
  return said === '' || Number.isNaN(at) ? day : new Date(at).toISOString();
}
