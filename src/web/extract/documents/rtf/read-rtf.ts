/** The text of a file of Rich Text Format (RTF 1.9.1). */
import { decodeAs } from '../../../../base/text/encoding/decode-as.ts';
import { maxTextChars } from '../../extraction.ts';
import { createRunWriter } from '../../superscript.ts';
import { type BlockList, tidyCell } from '../block-list.ts';
import { charsetOfCodePage, charsetOfFont, propertyGroups, signs, unseenGroups } from './rtf-names.ts';
import { type RtfToken, rtfTokens } from './rtf-tokens.ts';

/** Groups inside each other; set by hand: word processors nest a few dozen. */
const maxDepth = 500;

interface Group {
  isUnseen: boolean;
  /** Text with `\v`, or deleted by a tracked change. */
  isHidden: boolean;
  isRaised: boolean;
  /** Characters that follow `\uN` for programs that do not know it. */
  skip: number;
  font: number;
  /** Where its text goes. */
  property: string | undefined;
  isFonts: boolean;
  isNote: boolean;
  /** Whether the next word says what the group is. */
  isBegun: boolean;
}

export interface RtfProperties {
  readonly title: string;
  readonly author: string;
  /** ISO 8601. */
  readonly created: string | undefined;
  readonly truncated: boolean;
}

/** Reads the text into `list`. Throws for groups that are nested too deeply. */
export function readRtf(bytes: Uint8Array, list: BlockList): RtfProperties {
  const groups: Group[] = [];
  let group: Group = {
    isUnseen: false,
    isHidden: false,
    isRaised: false,
    skip: 1,
    font: -1,
    property: undefined,
    isFonts: false,
    isNote: false,
    isBegun: false,
  };
  const fonts = new Map<number, string>();
  const read = { title: '', author: '' };
  const day: Record<string, number> = {};
  let isCreation = false;
  let codePage = 'windows-1252';
  let defaultFont = -1;
  /** Bytes of `\'hh` whose character is not complete yet. */
  let pending: number[] = [];
  let toSkip = 0;
  let paragraph = { text: '', level: 0, isListed: false, inTable: false };
  const writers = { paragraph: createRunWriter(), note: createRunWriter() };
  /** The texts at the foot of the pages, which follow the document. */
  const notes: string[] = [];
  let row: string[] = [];
  let cell: string[] = [];
  let rows: string[][] = [];
  let chars = 0;

  function write(text: string): void {
    if (group.property !== undefined) {
      const name = group.property as 'title' | 'author';
      read[name] = (read[name] + text).slice(0, 500);
    } else if (group.isNote && !group.isHidden && notes.length > 0) {
      notes[notes.length - 1] += writers.note.write(text, group.isRaised);
      chars += text.length;
    } else if (!group.isUnseen && !group.isHidden && chars <= 2 * maxTextChars) {
      paragraph.text += writers.paragraph.write(text, group.isRaised);
      chars += text.length;
    }
  }

  function decode(part: Uint8Array): string {
    const label = fonts.get(group.font < 0 ? defaultFont : group.font) ?? codePage;
    return decodeAs(part, label);
  }

  /** A character may have two bytes, and the second one is sometimes written as a letter. */
  function flush(): void {
    if (pending.length > 0) write(decode(Uint8Array.from(pending)));
    pending = [];
  }

  /** The text of the open paragraph, which begins again. */
  function takeText(): string {
    const text = paragraph.text + writers.paragraph.flush();
    writers.paragraph = createRunWriter();
    paragraph = { ...paragraph, text: '' };
    return text;
  }

  function endNote(): void {
    if (notes.length > 0) notes[notes.length - 1] += writers.note.flush();
    writers.note = createRunWriter();
  }

  function endParagraph(): void {
    const { level, isListed, inTable } = paragraph;
    const text = takeText();
    if (inTable) cell.push(text);
    else {
      endTable();
      if (level > 0 && text.trim() !== '') list.add(`${'#'.repeat(level)} ${text.replaceAll('\n', ' ').trim()}`);
      else if (isListed) list.addItem(0, text);
      else list.add(text);
    }
  }

  function endTable(): void {
    if (rows.length > 0) list.addTable(rows);
    rows = [];
  }

  function onWord(word: string, value: number | undefined): void {
    if (word === 'ansicpg') codePage = charsetOfCodePage(value ?? 0) ?? codePage;
    else if (word === 'mac') codePage = 'macintosh';
    else if (word === 'deff') defaultFont = value ?? 0;
    else if (word === 'uc') group.skip = Math.min(20, Math.max(0, value ?? 1));
    else if (word === 'f') group.font = value ?? 0;
    else if (word === 'fcharset' && group.isFonts) {
      const label = charsetOfFont(value ?? 0);
      if (label !== undefined && fonts.size < 5_000) fonts.set(group.font, label);
    } else if (word === 'v' || word === 'deleted') group.isHidden = value !== 0;
    else if (word === 'plain') {
      group.isHidden = false;
      group.isRaised = false;
    } else if (word === 'super') group.isRaised = value !== 0;
    else if (word === 'sub' || word === 'nosupersub') group.isRaised = false;
    else if (word === 'u' && value !== undefined) {
      write(String.fromCharCode(value < 0 ? value + 0x10000 : value & 0xffff));
      toSkip = group.skip;
    } else if (isCreation && /^(?:yr|mo|dy)$/.test(word)) day[word] = value ?? 0;
    else if (group.isUnseen) return;
    else if (Object.hasOwn(signs, word)) write(signs[word]!);
    else if (group.isNote) write(word === 'par' ? ' ' : '');
    else if (word === 'par' || word === 'page' || word === 'sect' || word === 'column') endParagraph();
    else if (word === 'pard') paragraph = { ...paragraph, level: 0, isListed: false, inTable: false };
    else if (word === 'intbl') paragraph.inTable = true;
    else if (word === 'ls') paragraph.isListed = true;
    else if (word === 'outlinelevel' && value !== undefined && value >= 0 && value < 6) paragraph.level = value + 1;
    else if (word === 'cell' || word === 'nestcell') {
      row.push(tidyCell([...cell, takeText()].join(' ')));
      cell = [];
    } else if (word === 'row' || word === 'nestrow') {
      rows.push(row);
      row = [];
    }
  }

  function beginGroup(): void {
    if (groups.length >= maxDepth) throw new Error('The document is nested too deeply.');
    groups.push(group);
    group = { ...group, isBegun: true };
  }

  function nameGroup(token: RtfToken): void {
    if (!group.isBegun) return;
    group.isBegun = false;
    if (token.kind === 'symbol' && token.symbol === '*') {
      group.isUnseen = true;
      // The word after it still names the group.
      group.isBegun = true;
    }
    if (token.kind !== 'word') return;
    if (propertyGroups.has(token.word)) group.property = token.word;
    if (token.word === 'creatim') isCreation = true;
    if (token.word === 'footnote' && !group.isNote) {
      group.isNote = true;
      group.isUnseen = false;
      group.isRaised = false;
      endNote();
      notes.push('');
    }
    if (token.word === 'fonttbl') group.isFonts = true;
    if (unseenGroups.has(token.word)) group.isUnseen = true;
    // Pictures of newer programs are in a group that older programs skip; they may have text.
    if (token.word === 'shppict' || token.word === 'shptxt') group.isUnseen = false;
  }

  for (const token of rtfTokens(bytes)) {
    if (list.truncated || chars > 2 * maxTextChars) break;
    if (token.kind !== 'byte' && token.kind !== 'bytes') flush();
    if (token.kind === 'open') beginGroup();
    else if (token.kind === 'close') {
      isCreation = false;
      toSkip = 0;
      group = groups.pop() ?? group;
    } else {
      nameGroup(token);
      if (token.kind === 'word') onWord(token.word, token.value);
      else if (token.kind === 'symbol') onSymbol(token.symbol);
      else if (token.kind === 'byte') onByte(token.byte);
      else if (token.kind === 'bytes') onBytes(token.from, token.to);
    }
  }

  function onSymbol(symbol: string): void {
    if (group.isUnseen && group.property === undefined) return;
    if (symbol === '~') write(' ');
    else if (symbol === '_') write('-');
    else if (symbol === '\n' || symbol === '\r') endParagraph();
    else if (symbol === '\\' || symbol === '{' || symbol === '}') write(symbol);
  }

  function onByte(byte: number): void {
    if (toSkip > 0) toSkip -= 1;
    else if (group.property !== undefined || !group.isUnseen) pending.push(byte);
  }

  function onBytes(from: number, to: number): void {
    if (group.isUnseen && group.property === undefined) return flush();
    const part = bytes.subarray(from, to).filter((byte) => byte !== 0x0a && byte !== 0x0d && byte !== 0);
    const kept = part.subarray(Math.min(toSkip, part.length));
    toSkip = Math.max(0, toSkip - part.length);
    if (kept.length > 0)
      write(decode(pending.length === 0 ? kept : Uint8Array.from([...pending, ...kept.subarray(0, 1)])));
    if (pending.length > 0 && kept.length > 1) write(decode(kept.subarray(1)));
    if (kept.length > 0) pending = [];
  }

  flush();
  paragraph.text += writers.paragraph.flush();
  if (paragraph.text !== '') endParagraph();
  endTable();
  endNote();
  for (const [at, note] of notes.filter((each) => each.trim() !== '').entries())
    list.add(`${at + 1}. ${note.replace(/\s+/g, ' ').trim()}`);
  const { yr = 0, mo = 1, dy = 1 } = day;
  const two = (value: number) => String(value).padStart(2, '0');
  return { ...read, created: yr > 0 ? `${yr}-${two(mo)}-${two(dy)}` : undefined, truncated: chars > 2 * maxTextChars };
}
