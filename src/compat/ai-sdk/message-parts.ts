/**
 * The events of a search as parts of the AI SDK's UI message stream, which `useChat` reads. A source is announced once, before
 * the text that cites it; a step is one part that is updated in place; a citation is a part of its own, after the text it
 * covers. The message has the id of the search, so the message that a client sends back with its next turn names the search
 * that the turn follows up on. The same events make the same message, however neighbouring deltas were merged.
 */
import {
  type Citation,
  type SearchEvent,
  type SearchEventOf,
  type Source,
  type StructuredObject,
  structuredOutput,
  type TextResult,
} from '../../../protocol/index.ts';
import { errorOf } from '../../transport/http/await-result.ts';
import { refusalText } from '../refusal-text.ts';

/** What the message says about its search; the AI SDK merges it. */
export interface ChatMetadata {
  readonly search_id?: string;
  readonly status?: SearchEventOf<'search.completed'>['status'];
  readonly uncited_share?: number;
  readonly usage?: SearchEventOf<'search.completed'>['usage'];
  readonly error?: SearchEventOf<'search.failed'>['error'];
}

type StepStarted = SearchEventOf<'step.started'>;
type StepProgress = SearchEventOf<'step.progress'>;
type StepFinished = SearchEventOf<'step.finished'>;

/** A step so far. */
export interface ChatStep
  extends Pick<StepStarted, 'step_id' | 'parent_id' | 'kind' | 'title'>,
    Pick<StepProgress, 'message' | 'done' | 'total'>,
    Partial<Pick<StepFinished, 'duration_ms' | 'summary' | 'error'>> {
  readonly status: 'running' | StepFinished['status'];
}

type ProviderMetadata = { readonly citewire: Omit<Source, 'id' | 'url' | 'title'> };

/** The parts in use, a subset of the AI SDK's `UIMessageChunk`. */
export type MessagePart =
  | { type: 'start'; messageId: string; messageMetadata: ChatMetadata }
  | { type: 'start-step' | 'finish-step' }
  | { type: 'source-url'; sourceId: string; url: string; title: string; providerMetadata: ProviderMetadata }
  | { type: 'text-start' | 'text-end'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'data-step'; id: string; data: ChatStep }
  | { type: 'data-citation'; id: string; data: Citation }
  | { type: 'data-warning'; data: { code: string; message: string } }
  | { type: 'data-output'; id: string; data: StructuredObject }
  | { type: 'error'; errorText: string }
  | { type: 'abort'; reason: string }
  | { type: 'finish'; finishReason: 'stop' | 'error'; messageMetadata: ChatMetadata };

/** The block of the sentence that stands in for an answer where there is none. */
const refusalBlock = 'refusal';

/** A function from each event of a search, in order and from the first, to the parts that it adds. */
export function createMessageParts(search_id: string): (event: SearchEvent) => MessagePart[] {
  const steps = new Map<string, ChatStep>();
  const open = new Set<string>();
  const announced = new Set<string>();
  let hasText = false;

  function addText(id: string, delta: string): MessagePart[] {
    const part = { type: 'text-delta', id, delta } as const;
    if (open.has(id)) return [part];
    open.add(id);
    hasText = true;
    return [{ type: 'text-start', id }, part];
  }

  function endText(id: string): MessagePart[] {
    return open.delete(id) ? [{ type: 'text-end', id }] : [];
  }

  const endAll = () => [...open].flatMap(endText);

  function setStep(step_id: string, change: Partial<ChatStep>): MessagePart[] {
    const before = steps.get(step_id);
    if (before === undefined) return [];
    const data = { ...before, ...change };
    steps.set(step_id, data);
    return [{ type: 'data-step', id: step_id, data }];
  }

  function complete(event: SearchEventOf<'search.completed'>): MessagePart[] {
    const { status, usage, result, evidence } = event;
    const isText = evidence === undefined;
    const { uncited_share } = isText ? (result as TextResult) : {};
    const refusal = isText && !hasText ? addText(refusalBlock, refusalText(result as TextResult)) : [];
    const messageMetadata = { status, usage, ...(uncited_share === undefined ? {} : { uncited_share }) };
    return [
      ...refusal,
      ...endAll(),
      ...(isText ? [] : [{ type: 'data-output', id: 'output', data: structuredOutput(result, search_id) } as const]),
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'stop', messageMetadata },
    ];
  }

  function fail(errorText: string, messageMetadata: ChatMetadata): MessagePart[] {
    return [
      ...endAll(),
      { type: 'error', errorText },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'error', messageMetadata },
    ];
  }

  return (event) => {
    switch (event.type) {
      case 'search.accepted':
        return [{ type: 'start', messageId: search_id, messageMetadata: { search_id } }, { type: 'start-step' }];
      case 'step.started': {
        const { step_id, parent_id, kind, title } = event;
        const parent = parent_id === undefined ? {} : { parent_id };
        steps.set(step_id, { step_id, ...parent, kind, title, status: 'running' });
        return setStep(step_id, {});
      }
      case 'step.progress': {
        const { type: _, step_id, ...progress } = event;
        return setStep(step_id, progress);
      }
      case 'step.finished': {
        const { type: _, step_id, ...end } = event;
        return setStep(step_id, end);
      }
      case 'source.added': {
        const { id, url, title, ...rest } = event.source;
        if (announced.has(id)) return [];
        announced.add(id);
        return [{ type: 'source-url', sourceId: id, url, title, providerMetadata: { citewire: rest } }];
      }
      case 'answer.delta':
        return addText(event.block, event.text);
      case 'answer.block.done':
        return endText(event.block);
      case 'citation.added':
        return [{ type: 'data-citation', id: event.citation.id, data: event.citation }];
      case 'warning':
        return [{ type: 'data-warning', data: { code: event.code, message: event.message } }];
      case 'search.completed':
        return complete(event);
      case 'search.failed':
        return fail(event.error.message, { usage: event.usage, error: event.error });
      case 'search.cancelled':
        // Clients take an aborted message for one that its reader has stopped, and report nothing.
        if (event.by !== 'client') return fail(errorOf(event).message, { usage: event.usage });
        return [...endAll(), { type: 'abort', reason: event.by }, { type: 'finish-step' }];
      default:
        return [];
    }
  };
}
