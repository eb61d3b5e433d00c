/**
 * The log as the events of a response, in the order that the accumulators of clients demand. Every event has a
 * `sequence_number`, and it must be the same whenever the log is read again, or a client that resumes would lose text or
 * have it twice: an entry of several deltas is therefore sent as the deltas that it was made of. After a restart of the
 * search the numbers go on far after those of the attempt before, as in the log, so that they tell what a client has read.
 */
import type { CompletedEvent, ErrorObject, OutputItem, SearchEvent, Source } from '../../../../protocol/index.ts';
import type { Entry } from '../../../runs/log.ts';
import { errorOf } from '../../../transport/http/await-result.ts';
import type { EventFormat } from '../../../transport/http/sse.ts';
import { answerText } from '../../answer-text.ts';
import { warningsOf } from '../../warnings.ts';
import {
  type About,
  annotationsIn,
  completedResponse,
  functionCall,
  message,
  outputText,
  responseOf,
  searchCalls,
} from './response.ts';

/** The events of a run from its start, without those up to the sequence number `startingAfter`. */
export function responseEvents(about: About, startingAfter = -1): EventFormat {
  const { search_id } = about;
  const ofSearch = { output_index: 0, item_id: `ws_${search_id}` };
  const output_index = about.web_search === null ? 0 : 1;
  const ofMessage = { item_id: `msg_${search_id}`, output_index };
  const ofText = { ...ofMessage, content_index: 0 };
  const ofCall = { item_id: `fc_${search_id}`, output_index };
  const calls = about.call !== undefined;
  const deltaType = calls ? 'response.function_call_arguments.delta' : 'response.output_text.delta';
  const ofDelta = { type: deltaType, ...(calls ? ofCall : { ...ofText, logprobs: [] }) };
  const deltaOpen = `event: ${deltaType}\ndata: ${JSON.stringify(ofDelta).slice(0, -1)},"sequence_number":`;
  const sources: Source[] = [];
  const warnings: SearchEvent[] = [];
  let next = 0;
  let hasBegun = false;
  let isOver = false;
  /** Characters of the text that were sent. */
  let sent = 0;

  function emit(type: string, fields: object): string {
    const sequence_number = next++;
    if (sequence_number <= startingAfter) return '';
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n`;
  }

  function say(delta: string): string {
    sent += delta.length;
    const sequence_number = next++;
    if (sequence_number <= startingAfter) return '';
    return `${deltaOpen}${sequence_number},"delta":${JSON.stringify(delta)}}\n\n`;
  }

  function open(): string {
    const response = responseOf(about, { status: 'in_progress', output: [] });
    return [
      emit('response.created', { response }),
      emit('response.in_progress', { response }),
      ...searchCalls(about, 'in_progress', []).flatMap((item) => [
        emit('response.output_item.added', { output_index: 0, item }),
        emit('response.web_search_call.in_progress', ofSearch),
        emit('response.web_search_call.searching', ofSearch),
      ]),
    ].join('');
  }

  /** The search is over and the message, or the call, begins: when the first of it is known. */
  function begin(): string {
    if (hasBegun) return '';
    hasBegun = true;
    return [
      ...searchCalls(about, 'completed', sources).flatMap((item) => [
        emit('response.web_search_call.completed', ofSearch),
        emit('response.output_item.done', { output_index: 0, item }),
      ]),
      emit('response.output_item.added', {
        output_index,
        item: functionCall(about, 'in_progress', '') ?? message(about, 'in_progress', []),
      }),
      calls ? '' : emit('response.content_part.added', { ...ofText, part: outputText('', []) }),
    ].join('');
  }

  /** What was sent before `seq` is no longer so, and clients have no way to take back more than the opening events. */
  function restart(seq: number): string {
    const hasReadOn = startingAfter >= next && startingAfter < seq;
    if (hasBegun || hasReadOn) {
      next = Math.max(next, startingAfter + 1);
      return fail('failed', begunAgain);
    }
    next = seq;
    sources.length = 0;
    warnings.length = 0;
    return '';
  }

  function complete(ended: CompletedEvent): string {
    const whole = answerText(ended);
    // A structured answer, and the words of a refusal, are in no delta.
    const rest = whole.slice(sent);
    return [
      begin(),
      rest === '' ? '' : say(rest),
      calls ? called(whole) : said(whole, annotationsIn(whole, ended)),
      emit('response.completed', { response: completedResponse(about, ended, warningsOf(warnings)) }),
    ].join('');
  }

  /** The end of the message. */
  function said(text: string, annotations: ReturnType<typeof annotationsIn>): string {
    const part = outputText(text, annotations);
    return [
      ...annotations.map((annotation, annotation_index) =>
        emit('response.output_text.annotation.added', { ...ofText, annotation_index, annotation }),
      ),
      emit('response.output_text.done', { ...ofText, text, logprobs: [] }),
      emit('response.content_part.done', { ...ofText, part }),
      emit('response.output_item.done', { output_index, item: message(about, 'completed', [part]) }),
    ].join('');
  }

  /** The end of the call of a function. */
  function called(json: string): string {
    const done = { ...ofCall, name: about.call?.name, arguments: json };
    return (
      emit('response.function_call_arguments.done', done) +
      emit('response.output_item.done', { output_index, item: functionCall(about, 'completed', json) })
    );
  }

  function fail(status: 'failed' | 'cancelled', why: Pick<ErrorObject, 'code' | 'message'> | null): string {
    const items: OutputItem[] = searchCalls(about, hasBegun ? 'completed' : 'failed', sources);
    const error = why && { code: why.code, message: why.message };
    const response = responseOf(about, { status, output: items, error });
    isOver = true;
    return emit('response.failed', { response });
  }

  return ({ event, seq, starts }) => {
    if (isOver) return '';
    switch (event.type) {
      case 'search.restarted':
        return restart(seq);
      case 'search.accepted':
        return open();
      case 'source.added':
        sources.push(event.source);
        return '';
      case 'warning':
        warnings.push(event);
        return '';
      case 'answer.delta':
        return begin() + piecesOf(event.text, starts).map(say).join('');
      case 'search.completed':
        return complete(event);
      case 'search.failed':
        return fail('failed', event.error);
      case 'search.cancelled':
        // As when it is retrieved: what its caller cancelled has not gone wrong.
        return fail('cancelled', event.by === 'client' ? null : errorOf(event));
      default:
        return '';
    }
  };
}

const begunAgain = {
  code: 'lost',
  message: 'The process that ran this response is gone. It was restarted: retrieve it from its start.',
} as const;

/** The deltas that a text was made of. */
function piecesOf(text: string, starts: Entry['starts']): string[] {
  if (starts === undefined) return [text];
  return starts.map((start, at) => text.slice(start, starts[at + 1]));
}
