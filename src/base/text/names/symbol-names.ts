/**
 * Names without a letter, as the reference of a shell or a query language has them: `$?`, `!!`, `[[`, `->>`, `2>&1`. Full-text search
 * reads letters and digits only, so that each such name has a word of its own, made of the codes of its characters.
 */

import { nameToDefine } from './asked-names.ts';

/** Characters of the longest such name; `2>&1` has four. Set by hand. */
const maxLength = 6;
/** Set by hand: a page of marks may have many thousands. */
const maxNames = 1_000;

const inCode = /`([^`\n]{1,120})`/g;
/** Emphasis around a name; quotes and brackets, and what ends a clause. */
const emphasis = /^(\*{1,3})(?=[^*])(.*(?:[^*]|\\\*))\1$/u;
const before = /^(?:["'“‘]+|\((?!\())/u;
const after = /["'”’,;:)]+$/u;
/** Brackets that open something: of "[[ … ]]" and "((…))" the beginning is the name. */
const opening = /^(?:\[\[|\(\(|\{\{)/;
const marks = new RegExp(`^[!-/:-@[-\`{-~]{1,${maxLength}}$`);
/** The redirection of a descriptor; "<3" and "$5" are none. */
const redirection = /^\d?[<>]{1,3}&[\d-]$/;
/** What marks also are between words: punctuation, Markdown, smileys. */
const prose = /^(?:(?!\|\|$)[-=*_#~.|:+/\\]+|[.?!…]*[.?][.?!…]*|!|!{3,}|[:;][-)(]+|["'“”‘’,;:\])}]+)$/u;

/** The distinct names of a text, in order: in code, and among words those that are nothing else. */
export function symbolNamesIn(text: string): string[] {
  if (!/[^\p{L}\p{N}\s.,]{2}/u.test(text)) return [];
  const names = new Set<string>();
  const bare = text.replace(inCode, (_, code: string) => {
    const name = nameIn(code.replaceAll('\\|', '|').trim().split(/\s/, 1)[0]!);
    if (name !== undefined && names.size < maxNames) names.add(name);
    return ' ';
  });
  for (const [token] of bare.matchAll(/\S+/g)) {
    if (names.size >= maxNames) break;
    if (token.length > 3 * maxLength) continue;
    const plain = (emphasis.exec(token)?.[2] ?? token).replace(/\\(?=[!-/:-@[-`{-~])/g, '');
    const stripped = opening.test(plain) ? plain : plain.replace(before, '').replace(after, '');
    const name = nameIn(withoutQuestion(stripped));
    if (name !== undefined && name.length > 1 && !prose.test(name)) names.add(name);
  }
  return [...names];
}

/** The marks whose meaning a question asks for, even those that prose has between words: "What does % do?" */
function symbolAsked(question: string): string | undefined {
  const [first = ''] = nameToDefine(question)?.split(/\s/, 1) ?? [];
  const name = nameIn(first.replace(/^["'“‘`]|["'”’`]$/gu, ''));
  return name === undefined || /^[?.,…]+$/.test(name) ? undefined : name;
}

/** The word that stands for such a name in an index: letters and digits, which no stemmer changes. */
export function wordOfSymbol(name: string): string {
  return `sym${[...name].map((mark) => mark.charCodeAt(0)).join('x')}`;
}

/** The name that a word stands for; undefined for any other word. */
export function symbolOfWord(word: string): string | undefined {
  const codes = /^sym(\d+(?:x\d+)*)$/.exec(word)?.[1];
  return codes === undefined ? undefined : String.fromCharCode(...codes.split('x').map(Number));
}

/** The names without letters that a question asks about. */
export function symbolsAsked(question: string): string[] {
  return [...new Set([...symbolNamesIn(question), ...[symbolAsked(question)].flatMap((name) => name ?? [])])];
}

/** Whether a text has such a name, which is not a part of a longer run of its marks. */
export function hasSymbol(text: string, name: string): boolean {
  const [first, last] = [name.charAt(0), name.charAt(name.length - 1)].map(patternOf);
  return new RegExp(`(?<!${first})${patternOf(name)}(?!${last})`).test(text);
}

/** The source of a regular expression, without the flag `u`, for a name as Markdown has it: a bar within a table is "\\|". */
export function patternOf(name: string): string {
  return name.replace(/[!-/:-@[-^`{-~]/g, (mark) => (mark === '|' ? '\\\\?\\|' : `\\${mark}`));
}

function nameIn(token: string): string | undefined {
  if (/\p{L}/u.test(token) && !opening.test(token)) return undefined;
  const open = opening.exec(token)?.[0];
  if (open !== undefined) return open;
  return marks.test(token) || redirection.test(token) ? token : undefined;
}

/** Without the mark that ends a question: "What is $@?", but not "What is $?". */
function withoutQuestion(token: string): string {
  return token.length > 2 && token.endsWith('?') ? token.slice(0, -1) : token;
}
