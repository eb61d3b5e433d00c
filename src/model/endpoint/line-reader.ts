/** Lines of a stream of bytes, as every protocol here sends them: Server-Sent Events or one JSON object per line. */
import { StringDecoder } from 'node:string_decoder';
import { ModelError } from '../model-error.ts';

/** Reads `received` from `from` up to, not including, `end`: one line without its line feed. Returns its text. */
export type ReadLine = (received: string, from: number, end: number) => string;

const lineFeed = 10;
/** Characters; set by hand, far above any real line. */
const longestLine = 1024 * 1024;

/** What is wrong with a line, thrown with the text of the lines that came with it: that is not lost. */
export class FaultAfterText extends Error {
  override readonly name = 'FaultAfterText';
  readonly text: string;
  readonly fault: unknown;
  constructor(text: string, fault: unknown) {
    super('A line after some text could not be read.', { cause: fault });
    this.text = text;
    this.fault = fault;
  }
}

/**
 * A function that takes bytes, cut anywhere, and returns the text of the lines that are now complete. Throws what `readLine` throws, as the
 * `fault` of a `FaultAfterText` if the same bytes have text before it.
 */
export function createLineReader(readLine: ReadLine): (bytes: Buffer) => string {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (bytes) => {
    // Whole lines contain whole characters; only cut ones need the stateful decoder.
    const isWhole = rest === '' && bytes.at(-1) === lineFeed;
    const received = isWhole ? bytes.toString('utf8') : rest + decoder.write(bytes);
    let text = '';
    let from = 0;
    for (let end = received.indexOf('\n', from); end !== -1; end = received.indexOf('\n', from)) {
      try {
        if (end > from) text += readLine(received, from, end);
      } catch (error) {
        throw text === '' ? error : new FaultAfterText(text, error);
      }
      from = end + 1;
    }
    rest = from === 0 ? received : received.slice(from);
    if (rest.length > longestLine) throw new ModelError('it sent a line of more than 1 MB.');
    return text;
  };
}

/** A line whose JSON is broken, or was cut off. */
export class InvalidJson extends ModelError {
  constructor() {
    super('it sent invalid JSON.');
  }
}

/**
 * A function for `createLineReader` that parses each line's JSON: after its prefix, or all of it if `prefix` is empty. `onDone` is called at
 * `[DONE]`, by which OpenAI ends a stream, and proxies end those of other protocols, too.
 */
export function readJsonLines(
  prefix: 'data:' | 'error:' | '',
  readValue: (value: unknown) => string,
  onDone: () => void = () => {},
): ReadLine {
  return (received, from, end) => {
    if (!received.startsWith(prefix, from)) return '';
    const data = received.slice(from + prefix.length, end).trim();
    if (data === '') return '';
    if (data === '[DONE]') {
      onDone();
      return '';
    }
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      throw new InvalidJson();
    }
    try {
      return readValue(value);
    } catch (error) {
      // Not of the shape of its protocol: `null`, say.
      throw error instanceof ModelError ? error : new ModelError('its response could not be read.', { cause: error });
    }
  };
}
