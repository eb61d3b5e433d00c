/**
 * The rules of a robots.txt for one crawler (RFC 9309, read as Google's published parser reads it: forgiving about typing
 * errors, the longest pattern wins, an allow wins a tie). A file is somebody else's, and may be made to hurt: it is read
 * and matched in slices, between which the event loop runs, and a pattern is matched in one pass over the path.
 */
import { createPause } from '../../base/pause.ts';

export interface RobotsRules {
  /** Whether this path with its query may be fetched. `path` begins with "/" and is percent-encoded, as in a URL. */
  allows(path: string): Promise<boolean>;
  /** Seconds that the site wants between two requests; 0 where it says nothing. */
  readonly crawlDelay: number;
  /** How much memory the rules take, in characters: their patterns, and what an object costs for each. */
  readonly size: number;
}

interface Rule {
  readonly allow: boolean;
  /** The literal pieces between wildcards; the first one begins the path. */
  readonly pieces: readonly string[];
  /** Whether the last piece ends the path. */
  readonly anchored: boolean;
  /** The length of the pattern as written: the longest that matches decides. */
  readonly length: number;
}

/** Characters of a file that are read; RFC 9309 (2.5) asks for 500 KiB at least. */
export const maxRobotsLength = 500 * 1024;
/** Longer lines are cut: eight times the longest URL that browsers took, as in Google's parser. */
const maxLineLength = 8 * 2_083;
/** Longer paths are cut before they are matched; set by hand, so that 50,000 patterns take a few milliseconds. */
const maxPathLength = 2_083;
/** Lines or rules between two looks at the clock; set by hand. */
const linesPerCheck = 256;
/** What a rule takes besides its pattern, in characters of two bytes; set by hand. */
const ruleSize = 100;

const keys = {
  agent: /^user[- ]?agent$/,
  allow: /^allow$/,
  // With the misspellings that sites use.
  disallow: /^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)$/,
  delay: /^crawl-?delay$/,
};

/** Reads the group for `agent`, a product name in lower case, else the group for "*". Never rejects. */
export async function parseRobots(text: string, agent: string): Promise<RobotsRules> {
  const own = createGroup();
  const others = createGroup();
  let isOwn = false;
  let isOthers = false;
  let isNamed = false;
  let rulesBegan = true;
  const pause = createPause(linesPerCheck);
  for (const line of linesOf(text)) {
    const paused = pause();
    if (paused !== undefined) await paused;
    const [key, value] = line;
    if (keys.agent.test(key)) {
      if (rulesBegan) {
        isOwn = false;
        isOthers = false;
        rulesBegan = false;
      }
      if (/^\*(?:\s|$)/.test(value)) isOthers = true;
      else if (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === agent) isOwn = isNamed = true;
      continue;
    }
    const groups = [...(isOwn ? [own] : []), ...(isOthers ? [others] : [])];
    if (keys.delay.test(key)) {
      for (const group of groups) group.delay(value);
    } else if (keys.allow.test(key) || keys.disallow.test(key)) {
      rulesBegan = true;
      for (const group of groups) group.add(keys.allow.test(key), value);
    }
  }
  return isNamed ? own : others;
}

function createGroup() {
  const rules = new Map<string, Rule>();
  let crawlDelay = 0;
  let size = 0;
  const add = (allow: boolean, pattern: string) => {
    if (pattern === '') return;
    // The same pattern again changes nothing, unless it allows what was forbidden.
    if (!allow && rules.has(pattern)) return;
    if (!rules.has(pattern)) size += pattern.length + ruleSize;
    rules.set(pattern, compile(pattern, allow));
  };
  return {
    add(allow: boolean, value: string) {
      const pattern = normalise(value);
      add(allow, pattern);
      // What allows a folder's index allows the folder, as in Google's parser.
      const folder = /^(.*\/)index\.htm[^/]*$/.exec(pattern)?.[1];
      if (allow && folder !== undefined) add(true, `${folder}$`);
    },
    delay(value: string) {
      const seconds = /^\d/.test(value) ? Number.parseFloat(value) : 0;
      if (Number.isFinite(seconds)) crawlDelay = seconds;
    },
    async allows(path: string) {
      const cut = normalise(path.slice(0, maxPathLength));
      const pause = createPause(linesPerCheck);
      let best: Rule | undefined;
      for (const rule of rules.values()) {
        const paused = pause();
        if (paused !== undefined) await paused;
        if (best !== undefined && (rule.length < best.length || (rule.length === best.length && best.allow))) continue;
        if (matches(rule, cut)) best = rule;
      }
      return best?.allow ?? true;
    },
    get crawlDelay() {
      return crawlDelay;
    },
    get size() {
      return size;
    },
  };
}

function compile(pattern: string, allow: boolean): Rule {
  const anchored = pattern.endsWith('$');
  const [first = '', ...rest] = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  // Neighbouring wildcards are one; a last one that is not anchored says nothing.
  const last = rest.length > 0 && anchored ? rest.slice(-1) : [];
  const middle = (anchored ? rest.slice(0, -1) : rest).filter((piece) => piece !== '');
  return { allow, pieces: [first, ...middle, ...last], anchored, length: pattern.length };
}

/** Each piece is taken where it first occurs: if any way to match the pattern exists, this one does. */
function matches({ pieces, anchored }: Rule, path: string): boolean {
  const [first = '', ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  if (anchored && rest.length === 0) return path.length === first.length;
  let at = first.length;
  for (const [i, piece] of rest.entries()) {
    if (anchored && i === rest.length - 1) return path.length - piece.length >= at && path.endsWith(piece);
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** "key: value" of each line that has one, without comments; "key value" passes too, since people write that. */
function* linesOf(text: string): Generator<readonly [key: string, value: string]> {
  for (const [line] of wholeLines(text).matchAll(/[^\r\n]+/g)) {
    const [, key, separator, value = ''] =
      /^\s*([^\s:#][^:#\r\n]{0,40}?)\s*(:|\s)\s*([^#]*)/.exec(line.slice(0, maxLineLength)) ?? [];
    if (key === undefined) continue;
    const trimmed = value.trimEnd();
    if (separator === ':' || !/[\s:]/.test(trimmed)) yield [key.toLowerCase(), trimmed];
  }
}

/** The part of a file that is read, in whole lines: a rule that was cut off would match more than it says. */
function wholeLines(text: string): string {
  const read = text.replace(/^\uFEFF/, '').slice(0, maxRobotsLength);
  const isCut = text.length > maxRobotsLength;
  return isCut ? read.slice(0, Math.max(read.lastIndexOf('\n'), read.lastIndexOf('\r')) + 1) : read;
}

/** Percent-encoding in one form: what is outside ASCII is encoded, hex digits are upper case. */
function normalise(path: string): string {
  if (!/[^\x21-\x7e]|%[0-9a-f]{2}/i.test(path)) return path;
  return path
    .toWellFormed()
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (encoded) => encoded.toUpperCase());
}
