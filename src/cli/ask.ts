/**
 * `citewire ask`: the events of a search, drawn for a terminal as they come: steps and sources in grey on standard error,
 * the answer on standard output, so that a pipe gets the answer and its sources alone. Asks a running server, or
 * answers by itself from the index in DATA_DIR.
 */
import { readFile } from 'node:fs/promises';
import { type SearchEvent, SearchRequest, type Source, type TerminalEvent } from '../../protocol/index.ts';
import type { Config } from '../config.ts';
import { AppError, parse } from '../errors.ts';
import { createAnswerText } from './answer-text.ts';
import { searchAlone } from './search-alone.ts';
import { searchServer } from './search-server.ts';

export interface AskOptions {
  readonly json?: boolean;
  readonly schema?: string;
  readonly only?: string[];
  readonly never?: string[];
  readonly server?: string;
  readonly key?: string;
}

export async function ask(prompt: string, options: AskOptions, config: Config): Promise<number> {
  const request = {
    prompt,
    ...(options.schema === undefined ? {} : { output_format: await readTemplate(options.schema) }),
    ...(options.only === undefined ? {} : { source_whitelist: options.only }),
    ...(options.never === undefined ? {} : { source_blacklist: options.never }),
  };
  const parsed = parse(SearchRequest, request);
  const events =
    options.server === undefined ? searchAlone(parsed, config) : searchServer(parsed, options.server, options.key);
  const terminal = await show(events, options.json === true);
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

async function readTemplate(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('validation_error', `${file}: expected JSON; ${(error as Error).message}`);
  }
}
