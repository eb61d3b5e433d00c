/**
 * The question within a long prompt. Of a pasted log or stack trace: the line with the error, without its time, and what is asked
 * beside it. Of a story that ends in a question: the question, with the sentence before it if it says "it". Other prompts stay
 * as they are. Each character is looked at a few times only, since a prompt may have 40,000 without any mark.
 */

// Set by hand.
/** Words from which on a prompt with a question is longer than a question is. */
const longWords = 60;
/** Lines of a log or stack trace that make a prompt one. */
const minLogLines = 3;
/** Characters of a line and of a sentence that are looked at. */
const maxLine = 1_000;
/** Questions of a long prompt that are kept, from its end. */
const maxQuestions = 3;

const timestamp =
  /^\W{0,2}(?:\d{4}-\d\d-\d\d[T ]|\d\d?:\d\d:\d\d|\w{3} [ \d]\d \d\d:\d\d:\d\d)[\d:.,TZ+-]{0,30}\W{0,3}/;
const level = /^\W{0,2}(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|SEVERE|CRIT(?:ICAL)?|npm ERR!)\b\W{0,3}/;
const frame = /^\s+at \S|^\s+File ".{1,300}", line \d|^\s*\.\.\. \d+ more|^goroutine \d/;
const failure =
  /\b\w{0,60}(?:Error|Exception)\b|\b(?:error|fatal|panic|fail(?:ed|ure)?|abort(?:ed)?|refused|denied|timed out|ERR!?)\b/i;
const refersBack =
  /\b(?:it|this|that|these|those|they|them|there|he|she|es|das|dies|ça|cela|esto|eso|questo|dit|dat|isso)\b/i;

/** The prompt, or what a long one asks; never empty for a prompt that is not. */
export function condensePrompt(prompt: string): string {
  const lines = prompt.split('\n');
  const isLog = (line: string) => {
    const head = line.slice(0, maxLine);
    return timestamp.test(head) || level.test(head) || frame.test(head);
  };
  const logged = lines.filter(isLog);
  if (logged.length >= minLogLines) return condenseLog(lines, logged);
  const text = prompt.replace(/\s+/g, ' ').trim();
  let words = 0;
  for (let at = text.indexOf(' '); at !== -1 && words < longWords; at = text.indexOf(' ', at + 1)) words += 1;
  return words < longWords ? prompt : (lastQuestions(text) ?? prompt);
}

/** The error of a log, in which the last one counts, and the lines around the log that ask. */
function condenseLog(lines: readonly string[], logged: readonly string[]): string {
  const isLogged = new Set(logged);
  const plain = (line: string) => line.slice(0, maxLine).replace(timestamp, '').replace(level, '').trim();
  const isFailure = (line: string) => line !== '' && !frame.test(line) && failure.test(line.slice(0, maxLine));
  const error = lines.findLast((line) => isFailure(line) && !line.trim().endsWith('?')) ?? logged[0]!;
  const asked = lines.filter((line) => !isLogged.has(line) && line !== error && line.trim() !== '');
  return [...asked.map((line) => line.slice(0, maxLine).trim()), plain(error)].join(' ').trim();
}

/** The questions at the end of a text, each with the sentence that it refers to; undefined if it asks none. */
function lastQuestions(text: string): string | undefined {
  const sentences: string[] = [];
  let start = 0;
  for (const { index } of text.matchAll(/[.?!](?= |$)/g)) {
    sentences.push(text.slice(Math.max(start, index - maxLine), index + 1).trim());
    start = index + 1;
  }
  const asking = sentences.flatMap((sentence, at) => (sentence.endsWith('?') ? [at] : [])).slice(-maxQuestions);
  if (asking.length === 0) return undefined;
  const kept = new Set(asking.flatMap((at) => (refersBack.test(sentences[at]!) && at > 0 ? [at - 1, at] : [at])));
  return sentences.filter((_, at) => kept.has(at)).join(' ');
}
