/**
 * Lists of sources that a model writes under its answer: "## Sources" with entries, "Sources: [1], [2]", footnote
 * definitions, lines that repeat a source's title after its number. Every reader shows the sources of an answer itself, and these
 * lists were not checked: they are left out, and their entries counted. Text waits only at the start of a line that may
 * become such a list.
 */
import { createFenceReader } from '../../base/text/lines/fences.ts';
import { marker } from '../../base/text/markers.ts';
import { endsSentence } from '../../base/text/sentences/sentence-ends.ts';
import type { Evidence } from '../ports/snapshot.ts';
import { numbersIn } from './markers/marker-numbers.ts';

export interface SourceListFilter {
  /** Takes a piece and returns the text to pass on, with what was held back before it, without lists of sources. */
  push(piece: string): string;
  /** Returns the rest. */
  finish(): string;
  /** How many entries were left out since the last call. */
  takeDropped(): number;
}

const headings =
  'sources|source|sources used|sources cited|references|reference|citations|footnotes|bibliography|works cited|quellen|quellenangaben|quellenverzeichnis|belege|références|fuentes|referencias|fonti|riferimenti|bronnen|fontes|referências|参考文献|参考资料|来源|资料来源|出典|참고문헌';
const headingWords = headings.split('|');
const decoration = String.raw`[#*_>\s-]{0,8}`;
const heading = new RegExp(String.raw`^${decoration}(?:${headings})[*_\s]{0,4}[:：]?[*_\s]{0,4}$`, 'i');
/** A heading with its entries on the same line. */
const inLine = new RegExp(
  String.raw`^${decoration}(?:${headings})[*_\s]{0,4}[:：][*_\s]{0,4}(?<rest>\S.{0,300})$`,
  'i',
);
const definition = /^ {0,3}\[\^?[\w-]{1,20}\]:(?:\s|$)/;
const definitionBegun = /^ {0,3}\[(?:\^?[\w-]{0,20}\]?)?$/;
const numbered = /^\s{0,6}(?:[-*+•]\s+)?(?:\\?\[\^?\d{1,3}\\?\]|【\d{1,3}[^】]{0,20}】|\(?\d{1,3}[.)])[:.]?\s/;
const bulleted = /^\s{0,6}[-*+•]\s+\S/;
/** The label of an item that may say a fact: "1. ", "2) ", "- "; not that of an entry, "[1] ". */
const factLabel = /^\s{0,6}(?:[-*+•]\s+)?(?:\(?\d{1,3}[.)][:.]?\s+)?(?!\\?\[\^?\d{1,3}\\?\]|【\d|\(?\d{1,3}[.)]\s)/;
const anyMarker = String.raw`(?:\\?\[\^?\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\\?\](?!\()|【\d{1,3}[^】]{0,20}】)`;
const oneMarker = new RegExp(anyMarker);
const everyMarker = new RegExp(String.raw`\s?${anyMarker}`, 'g');
const markerAtEnd = new RegExp(String.raw`${marker}\W{0,2}$`);
/** A year, as entries name that of a work: "Smith, J. (2020). The bridge." */
const yearOfWork = /\((?:[^()]{0,20}[^()\d])?(?:19|20)\d\d[a-z]?(?:[,;][^()]{0,20})?\)/;
const titled = /^\s{0,3}\\?\[\^?(\d{1,3})\\?\][:.]?[ \t]+(.*)$/;
/** What may follow the title of a source in its entry: nothing, its address, its host, or the name of its site. */
const afterTitle =
  /^[^\p{L}\p{N}]{0,6}(?:$|(?:https?:\/\/|www\.)\S+(?:\s.{0,40})?$|(?:[\w-]{1,60}\.){1,6}[a-z]{2,12}(?:\/\S*)?[^\p{L}\p{N}]*$)|^\s[-–—|·]\s\p{Lu}[^\d.!?]{0,40}$/u;
/** Characters after a title in an entry; set by hand. */
const longestAfterTitle = 400;
/** A word that goes on with what begins like a title: it is a sentence. */
const goesOn = /^\s+[\p{L}\p{N}'’]+\s/u;

/** A filter for one answer. */
export function createSourceListFilter(evidence: readonly Evidence[]): SourceListFilter {
  const titles = evidence.map(({ title }) => title.trim().toLowerCase()).filter((title) => title !== '');
  let waiting = '';
  let atLineStart = true;
  let isFirst = true;
  const fences = createFenceReader();
  /** Line ends that are sent with the text after them, so that none is left where a list was. */
  let gap = '';
  /** A heading of sources, until what follows shows whether it is one. */
  let opened: string | undefined;
  let inList = false;
  /** What was left out before any text was passed on: it comes back if nothing follows. */
  let leftOut = '';
  /** Whether the answer itself is written as definitions. */
  let isInDefinitions = false;
  let dropped = 0;

  function release(): string {
    isFirst = false;
    inList = false;
    const waited = (opened ?? '') + gap;
    gap = '';
    opened = undefined;
    return waited;
  }

  /** Whether a text is a source's title, with nothing after it but what an entry has. */
  function isTitle(text: string): boolean {
    const said = text.trim().toLowerCase();
    return titles.some((title) => {
      const rest = text.trim().slice(title.length);
      return said.startsWith(title) && rest.length <= longestAfterTitle && afterTitle.test(rest);
    });
  }

  /**
   * Whether an item under such a heading is a fact, with its marker after it, and no entry that names a source. Under an answer, which such
   * a list follows as a rule, it is a whole sentence, or a point with its marker at its end.
   */
  function isFact(line: string): boolean {
    const [label] = factLabel.exec(line) ?? [];
    if (label === undefined || /https?:\/\//.test(line)) return false;
    const said = line.slice(label.length);
    const words = said.search(/\p{L}/u);
    if (words === -1 || !oneMarker.test(said.slice(words))) return false;
    const bare = said.replace(everyMarker, '').trimEnd();
    if (isTitle(bare)) return false;
    if (isFirst || (!numbered.test(line) && markerAtEnd.test(line))) return true;
    return endsSentence(bare) && !yearOfWork.test(bare);
  }

  /** Whether more text may make a title of this. */
  function mayBeTitle(text: string): boolean {
    const said = text.trimStart().toLowerCase();
    return titles.some((title) => {
      if (!said.startsWith(title)) return title.startsWith(said.trimEnd());
      return said.length <= title.length + longestAfterTitle && !goesOn.test(said.slice(title.length));
    });
  }

  /** The kind of a line, by its start; undefined while the rest of it decides. */
  function kindOf(line: string, isWhole: boolean): 'heading' | 'entry' | 'text' | undefined {
    if (definition.test(line)) {
      if (!isWhole) return undefined;
      // "[2]: The bridge is old." under nothing is the answer itself.
      if (/https?:\/\//.test(line) || isTitle(line.replace(definition, ''))) return 'entry';
      isInDefinitions ||= isFirst;
      return isInDefinitions ? 'text' : 'entry';
    }
    if (!isWhole && definitionBegun.test(line)) return undefined;
    const isOpen = opened !== undefined || inList;
    if (isOpen && (numbered.test(line) || bulleted.test(line))) {
      if (!isWhole) return undefined;
      return isFact(line) ? 'text' : 'entry';
    }
    if (isOpen && /https?:\/\//.test(line)) return isWhole ? 'entry' : undefined;
    const [, , rest] = titled.exec(line) ?? [];
    if (rest !== undefined) {
      if (/^<?https?:\/\//i.test(rest)) return isWhole ? 'entry' : undefined;
      // A title under nothing is the answer itself.
      if (isFirst) return 'text';
      if (isWhole) return isTitle(rest) ? 'entry' : 'text';
      return mayBeTitle(rest) ? undefined : 'text';
    }
    if (!isWhole) {
      const bare = line.replace(new RegExp(`^${decoration}`), '').toLowerCase();
      const isBegun = bare.length < 24 && headingWords.some((word) => word.startsWith(bare) || bare.startsWith(word));
      const mayFollow = /^[\s\d[(【（,;:：、*_#^†\])】.-]*$|^\s*[-*+•]?\s*$/.test(line);
      if ((isBegun || inLine.test(line)) && line.length < 300) return undefined;
      return isOpen && mayFollow ? undefined : 'text';
    }
    if (heading.test(line)) return 'heading';
    const entries = inLine
      .exec(line)
      ?.groups?.rest?.replace(/[.\s*_]+$/, '')
      .replace(/\]\s?\[/g, '], [');
    return entries !== undefined && numbersIn(entries) !== undefined ? 'entry' : 'text';
  }

  function read(isLast: boolean): string {
    let text = '';
    while (waiting !== '') {
      const end = waiting.indexOf('\n');
      const line = end === -1 ? waiting : waiting.slice(0, end);
      const isWhole = end !== -1 || isLast;
      if (!atLineStart) {
        text += line;
        fences.push(end === -1 ? line : `${line}\n`);
        waiting = waiting.slice(line.length + 1);
        if (end === -1) break;
        gap += '\n';
        atLineStart = true;
        continue;
      }
      if (!isWhole && /^ {0,3}(?:`{1,2}|~{1,2})$/.test(line)) break;
      if (line.trim() === '') {
        if (!isWhole) break;
        if ((!isFirst || opened !== undefined) && !(inList && gap.endsWith('\n\n')))
          gap += end === -1 ? line : `${line}\n`;
        waiting = waiting.slice(line.length + 1);
        continue;
      }
      const isFence = /^ {0,3}(?:```|~~~)/.test(line);
      const kind = isFence || fences.isOpen() ? 'text' : kindOf(line, isWhole);
      if (kind === undefined) break;
      if (kind === 'text') {
        text += release();
        atLineStart = false;
        continue;
      }
      waiting = waiting.slice(line.length + 1);
      if (kind === 'heading') {
        opened = `${opened ?? ''}${gap}${line}\n`;
        gap = '';
      } else {
        if (isFirst) leftOut += `${opened ?? ''}${gap}${line}\n`;
        opened = undefined;
        inList = true;
        dropped += 1;
        // One blank line is left where the list was.
        gap = isFirst ? '' : '\n\n';
      }
    }
    return text;
  }

  return {
    push(piece) {
      if (!atLineStart && waiting === '' && !piece.includes('\n')) {
        fences.push(piece);
        return piece;
      }
      waiting += piece;
      return read(false);
    },
    finish() {
      const text = read(true);
      // An answer that is nothing but such a list is the answer all the same.
      if (isFirst && leftOut !== '') {
        dropped = 0;
        return leftOut.trimEnd();
      }
      return inList || opened !== undefined ? text : text + gap;
    },
    takeDropped() {
      const count = dropped;
      dropped = 0;
      return count;
    },
  };
}
