/**
 * Prints a search as its events arrive: steps and sources in grey on standard error, the answer on standard output. A pipe
 * therefore gets only the answer and its sources.
 */
import type { CompletedEvent, SearchEvent, Source, TerminalEvent, TextResult } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { escapeControls, withoutControls } from '../../base/text/without-controls.ts';
import { errorOf } from '../../transport/http/await-result.ts';
import { createAnswerText } from './answer-text.ts';
import { createNotes } from './notes.ts';

/** Throws an AppError when the search failed, or was cancelled elsewhere. */
export async function showSearch(events: AsyncIterable<SearchEvent>, json: boolean): Promise<void> {
  const terminal = await show(events, json);
  if (terminal === undefined) throw new AppError('upstream_error', 'The stream ended before the search did.');
  if (terminal.type === 'search.completed') return;
  const { code, message } = errorOf(terminal);
  throw new AppError(code, withoutControls(message));
}

async function show(events: AsyncIterable<SearchEvent>, json: boolean): Promise<TerminalEvent | undefined> {
  const { stdout, stderr } = process;
  const isLive = stdout.isTTY && !json;
  const [grey, plain] = stderr.isTTY && stderr.hasColors() ? ['\x1b[90m', '\x1b[0m'] : ['', ''];
  const notes = createNotes((text) => stderr.write(`${text}\n`));
  const note =
    json || !stderr.isTTY ? () => {} : (text: string) => notes.add(`${grey}${withoutControls(text)}${plain}`);
  const print = json ? () => {} : (text: string) => stdout.write(withoutControls(text));
  const onMismatch = () => {
    print('\n');
    notes.release();
    note('The server lost the search. Restarted:');
    notes.hold();
  };
  const answer = createAnswerText({ write: print, isLive, onMismatch });
  let sources: Source[] = [];
  for await (const event of events) {
    switch (event.type) {
      case 'search.accepted':
        sources = [];
        answer.restart();
        break;
      case 'step.finished':
        note(`· ${event.summary ?? event.error ?? ''} (${Math.round(event.duration_ms)} ms)`);
        break;
      case 'source.added':
        sources.push(event.source);
        note(`  [${event.source.n}] ${event.source.title} ${event.source.url}`);
        break;
      case 'answer.delta':
        if (isLive) notes.hold();
        answer.add(event.text);
        break;
      case 'warning':
        notes.add(withoutControls(`warning: ${event.message}`));
        break;
      case 'search.completed':
        if (json) stdout.write(`${escapeControls(JSON.stringify(event.result, null, 2))}\n`);
        else answer.end();
        if (answer.text() !== '') print('\n\n');
        if (notes.release()) print('\n');
        print(closing(event, sources));
        return event;
      case 'search.failed':
      case 'search.cancelled':
        if (isLive && answer.text() !== '') print('\n');
        notes.release();
        return event;
    }
  }
  return undefined;
}

/**
 * The text after the answer: what it lacks and the cited sources, or a note that there is no answer. A structured answer is printed here
 * in full.
 */
function closing(event: CompletedEvent, sources: readonly Source[]): string {
  if (event.evidence !== undefined) return `${escapeControls(JSON.stringify(event.result, null, 2))}\n`;
  if (event.status === 'not_found') return refusal(event.result as TextResult);
  const cited = sources.filter((source) => event.citations.some((citation) => citation.source_id === source.id));
  const listed = cited.map((source) => `[${source.n}] ${source.title}\n    ${source.url}\n`).join('');
  const remark = remarks[event.status];
  return remark === undefined ? listed : `${remark}\n\n${listed}`;
}

/** The same remarks as below an answer in the chat. */
const remarks: Readonly<Partial<Record<string, string>>> = {
  partial: 'This answer is incomplete.',
  conflicting: 'The sources disagree. Both sides are cited.',
};

/** Why there is no answer, and the quotes that come nearest. */
function refusal({ message = 'No answer was found in the sources.', nearest = [] }: TextResult): string {
  if (nearest.length === 0) return `${message}\n`;
  const quotes = nearest.map(({ n, quote, title, url }) => {
    return `\n[${n}] ${quote.replace(/\s+/g, ' ')}\n    ${title} · ${url}\n`;
  });
  return `${message}\nThe nearest passages:\n${quotes.join('')}`;
}
