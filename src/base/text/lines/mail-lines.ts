/** Lines of letters and e-mails: what is above an e-mail, and how a letter begins and ends. */

const subject =
  /^(?:(?:from|to|cc|bcc|date|sent|reply-to|von|an|datum|gesendet|de|à|envoyé|para|fecha|da|data|van|aan):[^\n]{0,500}\n){0,8}(?:subject|betreff|objet|asunto|oggetto|onderwerp|assunto):[ \t]*([^\n]{1,300})/iu;
const replies = /^(?:(?:re|fwd?|aw|wg|tr|rv|sv|antw)(?:\[\d+\])?:\s*)+/i;

/** What a mail is about, without "Re:"; undefined for a text that does not begin like a mail. */
export function subjectOf(text: string): string | undefined {
  const found = subject.exec(text.trimStart())?.[1]?.replace(replies, '').trim();
  return found === '' ? undefined : found;
}

const headerLine = /^(?:from|to|cc|subject|sent|von|an|betreff|de|à|objet|para|asunto|da|oggetto):\s/i;
const headers = /(?:^|\s)(?:from|to|cc|bcc|subject|sent|date|reply-to|von|an|betreff|de|à|objet|asunto|oggetto):\s/giu;

/** Whether a line is above an e-mail; several of them are one thing, not a list. */
export function isMailHeader(line: string): boolean {
  return headerLine.test(line);
}

/** How many of them a text has, whose lines may have been joined. */
export function countMailHeaders(text: string): number {
  return text.match(headers)?.length ?? 0;
}

/** Alternatives of patterns: how letters begin, before a name. */
export const salutations =
  'Dear|Hi|Hello|Hey|Hallo|Liebe[rs]?|Sehr geehrte[rs]?|Bonjour|Ch[eè]re?s?|Hola|Estimad[oa]s?|Querid[oa]s?';
/** The same: "On 3 Mar 2024, Laura wrote:", above lines that are quoted. */
export const quotedAbove = String.raw`(?:On|Am|Le|El|Il|Op|Em) [^\n]{4,150}?(?:wrote|schrieb[^:\n]{0,60}|a écrit|escribió|ha scritto|schreef[^:\n]{0,60}|escreveu)\s?:`;

const closing =
  /^(?:(?:kind |best |warm )?regards|best wishes|best|yours(?: sincerely| faithfully| truly)?|sincerely|cheers|(?:many )?thanks(?: again)?|thank you|mit freundlichen grüßen|viele grüße|liebe grüße|cordialement|saludos(?: cordiales)?|cordiali saluti|met vriendelijke groet|atenciosamente)(?:,| ?[.!]?$)(?: [\p{L}.'’-]+){0,4}[.!]?$/iu;
const regards = /^(?:kind |best |warm )?regards(?: [\p{L}.'’-]+){1,3}[.!]?$/iu;

/** Whether a line is how a letter ends, perhaps with a name: "Kind regards, Ada". */
export function isClosing(line: string): boolean {
  return closing.test(line) || regards.test(line);
}
