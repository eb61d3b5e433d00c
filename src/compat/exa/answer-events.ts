/**
 * The log as the events of an answer of Exa: chunks like those of a chat completion. The first one has the citations, since nothing
 * is sent before the sources are known. What their pages say is known at the end, so the last one has them again with it.
 */
import type { CompletedEvent, Source } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import { errorOf } from '../../transport/http/await-result.ts';
import type { EventFormat, EventStream } from '../../transport/http/sse.ts';
import { answerText } from '../answer-text.ts';
import { type NamedRun, unixTime } from '../unix-time.ts';
import { exaError } from './errors.ts';
import { citationOf } from './results.ts';

/** The answer to one reader. Exa's client passes over errors in a stream, and takes one that ends for complete. */
export function answerStream(about: NamedRun, withText: boolean): EventStream {
  return { format: answerEvents(about, withText), breaksOnFailure: true };
}

/** The events of a run, for one reader. `withText`: whether the citations have what their pages say about the question. */
export function answerEvents({ search_id, created_at }: NamedRun, withText: boolean): EventFormat {
  const head = { id: search_id, object: 'chat.completion.chunk', created: unixTime(created_at) };
  const open = `data: ${JSON.stringify({ ...head, model: 'exa' }).slice(0, -1)},"choices":[{"index":0,"delta":`;
  const sources: Source[] = [];
  let hasBegun = false;
  /** Characters of the text that were sent. */
  let sent = 0;

  function begin(): string {
    if (hasBegun) return '';
    hasBegun = true;
    const citations = JSON.stringify(sources.map((source) => citationOf(source, false)));
    return `${open}{"role":"assistant","content":""},"finish_reason":null}],"citations":${citations}}\n\n`;
  }

  function say(piece: string): string {
    sent += piece.length;
    return `${open}{"content":${JSON.stringify(piece)}},"finish_reason":null}]}\n\n`;
  }

  function complete(ended: CompletedEvent): string {
    // A structured answer, and the words of a refusal, are in no delta.
    const rest = answerText(ended).slice(sent);
    const whole = withText ? ended.sources.map((source) => citationOf(source, true)) : undefined;
    const again = whole === undefined ? '' : `,"citations":${JSON.stringify(whole)}`;
    const last = `${open}{},"finish_reason":"stop"}]${again}}\n\ndata: [DONE]\n\n`;
    return `${begin()}${rest === '' ? '' : say(rest)}${last}`;
  }

  return ({ event }) => {
    switch (event.type) {
      case 'source.added':
        sources.push(event.source);
        return '';
      case 'answer.delta':
        return begin() + say(event.text);
      case 'search.completed':
        return complete(event);
      case 'search.failed':
        return failure(new AppError(event.error.code, event.error.message));
      case 'search.cancelled':
        return failure(errorOf(event));
      default:
        return '';
    }
  };
}

function failure(error: AppError): string {
  return `data: ${JSON.stringify(exaError(error).body)}\n\n`;
}
