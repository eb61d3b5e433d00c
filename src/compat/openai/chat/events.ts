/**
 * The log as the chunks of a chat completion. The clients disagree on where they read citations, so: nothing is sent before
 * the sources are known; every chunk has `citations` in the order of their numbers; the first and the last one have
 * `search_results`; and all annotations, and what the search warned of, come together in the last chunk, the one with
 * `finish_reason` and no text.
 *
 * Every token of every such stream comes through here: a chunk is text put together around the one string that is new.
 */
import type { CompletedEvent, ErrorObject, SearchEvent, Source } from '../../../../protocol/index.ts';
import { AppError } from '../../../base/errors.ts';
import { errorOf } from '../../../transport/http/await-result.ts';
import type { EventFormat } from '../../../transport/http/sse.ts';
import { answerText, sourcesBlock } from '../../answer-text.ts';
import type { NamedRun } from '../../unix-time.ts';
import { warningsOf } from '../../warnings.ts';
import { type Asked, chatAnnotations, headOf, searchResultOf, usageOf } from './answer.ts';
import { finishOf, openingDelta, pieceDelta } from './function-call.ts';

export interface AskedStream extends Asked {
  /** Whether a last chunk says what was used. */
  readonly usage: boolean;
  /** Whether the steps are sent as status events of Open WebUI, which other clients need not ignore. */
  readonly status: boolean;
}

/** The chunks of a run, for one reader. `refuse` gives an error as the protocol of the call has it. */
export function chatEvents(
  about: NamedRun,
  asked: AskedStream,
  refuse: (error: AppError) => { readonly body: object },
): EventFormat {
  const open = `data: ${JSON.stringify({ ...headOf(about, asked), object: 'chat.completion.chunk' }).slice(0, -1)}`;
  const { call } = asked;
  const sources: Source[] = [];
  const warnings: SearchEvent[] = [];
  let hasBegun = false;
  /** Characters of the text that were sent. */
  let sent = 0;
  let tail = closing([]);

  function begin(): string {
    if (hasBegun) return '';
    hasBegun = true;
    const delta = JSON.stringify(openingDelta(about, call));
    return `${open},"choices":[{"index":0,"delta":${delta},"finish_reason":null}]${results()}${tail}`;
  }

  function say(piece: string): string {
    sent += piece.length;
    const delta = call === undefined ? `{"content":${JSON.stringify(piece)}}` : JSON.stringify(pieceDelta(call, piece));
    return `${open},"choices":[{"index":0,"delta":${delta},"finish_reason":null}]${tail}`;
  }

  const results = () => `,"search_results":${JSON.stringify(sources.map(searchResultOf))}`;

  function warned(): string {
    const { warnings: said } = warningsOf(warnings);
    return said === undefined ? '' : `,"warnings":${JSON.stringify(said)}`;
  }

  function status(description: string, done: boolean): string {
    const event = { type: 'status', data: { action: 'web_search', description, done } };
    return `${open},"choices":[],"event":${JSON.stringify(event)}}\n\n`;
  }

  function complete(ended: CompletedEvent): string {
    const whole = answerText(ended);
    // A structured answer, and the words of a refusal, are in no delta.
    const rest = whole.slice(sent);
    const said = begin() + (rest === '' ? '' : say(rest));
    const block = asked.sources && call === undefined ? sourcesBlock(whole, ended.sources) : '';
    const delta = JSON.stringify({ annotations: chatAnnotations(whole, ended) });
    const last = `${open},"choices":[{"index":0,"delta":${delta},"finish_reason":"${finishOf(call)}"}]${results()}${warned()}${tail}`;
    const used = `${open},"choices":[],"usage":${JSON.stringify(usageOf(ended.usage))}${tail}`;
    const shown = asked.status ? status(`${ended.sources.length} sources`, true) : '';
    return `${shown}${said}${block === '' ? '' : say(block)}${last}${asked.usage ? used : ''}data: [DONE]\n\n`;
  }

  /** Clients throw it as an error of the stream. */
  function failure({ code, message }: Pick<ErrorObject, 'code' | 'message'>): string {
    const { body } = refuse(new AppError(code, message));
    return `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`;
  }

  return ({ event }) => {
    switch (event.type) {
      case 'answer.delta':
        return hasBegun ? say(event.text) : begin() + say(event.text);
      case 'source.added':
        sources.push(event.source);
        tail = closing(sources);
        return '';
      case 'warning':
        warnings.push(event);
        return '';
      case 'step.started':
        return asked.status && !hasBegun ? status(event.title, false) : '';
      case 'search.completed':
        return complete(event);
      case 'search.failed':
        return failure(event.error);
      case 'search.cancelled':
        return failure(errorOf(event));
      default:
        return '';
    }
  };
}

function closing(sources: readonly Source[]): string {
  return `,"citations":${JSON.stringify(sources.map(({ url }) => url))}}\n\n`;
}
