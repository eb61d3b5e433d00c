/**
 * The events of a search, drawn for a terminal as they come: steps and sources in grey on standard error, the answer on
 * standard output, so that a pipe gets the answer and its sources alone.
 */
import type { SearchEvent, Source, TerminalEvent } from '../../protocol/index.ts';
import { AppError } from '../base/errors.ts';
import { createAnswerText } from './answer-text.ts';

/** Gives the exit code. Throws an AppError where the search failed. */
export async function showSearch(events: AsyncIterable<SearchEvent>, json: boolean): Promise<number> {
  const terminal = await show(events, json);
  if (terminal === undefined) throw new AppError('upstream_error', 'The stream ended before the search did.');
  if (terminal.type === 'search.failed') throw new AppError(terminal.error.code, terminal.error.message);
  return terminal.type === 'search.completed' ? 0 : 1;
}

async function show(events: AsyncIterable<SearchEvent>, json: boolean): Promise<TerminalEvent | undefined> {
  const aside =
    json || !process.stderr.isTTY ? () => {} : (text: string) => process.stderr.write(`\x1b[90m${text}\x1b[0m\n`);
  const say = json ? () => {} : (text: string) => process.stdout.write(text);
  const onOther = () => {
    say('\n');
    aside('The server lost the search; it was begun anew:');
  };
  const answer = createAnswerText({ write: say, isLive: process.stdout.isTTY, onOther });
  let sources: Source[] = [];
  for await (const event of events) {
    switch (event.type) {
      case 'search.accepted':
        sources = [];
        answer.beginAnew();
        break;
      case 'step.finished':
        aside(`· ${event.summary ?? event.error ?? ''} (${event.duration_ms} ms)`);
        break;
      case 'source.added':
        sources.push(event.source);
        aside(`  [${event.source.n}] ${event.source.title} ${event.source.url}`);
        break;
      case 'answer.delta':
        answer.add(event.text);
        break;
      case 'warning':
        process.stderr.write(`warning: ${event.message}\n`);
        break;
      case 'search.completed':
        if (json) process.stdout.write(`${JSON.stringify(event.result, null, 2)}\n`);
        else {
          answer.end();
          say(closing(event, sources));
        }
        return event;
      case 'search.failed':
      case 'search.cancelled':
        return event;
    }
  }
  return undefined;
}

/** What follows the answer: the cited sources, or that there is none. A structured answer is printed whole. */
function closing(event: Extract<SearchEvent, { type: 'search.completed' }>, sources: readonly Source[]): string {
  if (event.evidence !== undefined) return `${JSON.stringify(event.result, null, 2)}\n`;
  if (event.status === 'not_found') return 'No answer was found in the sources.\n';
  const cited = sources.filter((source) => event.citations.some((citation) => citation.source_id === source.id));
  return `\n\n${cited.map((source) => `[${source.n}] ${source.title}\n    ${source.url}\n`).join('')}`;
}
