/**
 * The log as the events of Tavily's research: chunks like those of a chat completion, in which the stages are calls of tools. A search
 * of the web has responded when its sources are known, which is after they were ranked.
 */
import type { CompletedEvent, SearchEventOf, Source } from '../../../../protocol/index.ts';
import { errorOf } from '../../../transport/http/await-result.ts';
import type { EventFormat } from '../../../transport/http/sse.ts';
import { answerText, sourcesBlock } from '../../answer-text.ts';
import { type NamedRun, unixTime } from '../../unix-time.ts';
import { citedIn, reportOf } from './report.ts';

type Started = SearchEventOf<'step.started'>;

/** The tools of Tavily, by the stages that they stand for; other stages are not shown. */
const tools: Readonly<Partial<Record<Started['kind'], string>>> = {
  plan: 'Planning',
  search: 'WebSearch',
  write: 'Generating',
};

/** The events of a run, for one reader. */
export function researchEvents({ search_id, created_at }: NamedRun, model: string): EventFormat {
  const head = {
    id: search_id,
    object: 'chat.completion.chunk',
    model,
    created: unixTime(created_at),
  };
  const open = `data: ${JSON.stringify(head).slice(0, -1)},"choices":[{"delta":`;
  /** Calls that have not responded yet, by the id of their step. */
  const calls = new Map<string, Started>();
  let found: Source[] = [];
  /** Characters of the text that were sent. */
  let sent = 0;

  const chunk = (delta: object) => `${open}${JSON.stringify({ role: 'assistant', ...delta })}}]}\n\n`;

  function say(content: string): string {
    sent += content.length;
    return content === '' ? '' : chunk({ content });
  }

  function call(step: Started): string {
    const queries = step.kind === 'search' ? queriesOf(step) : undefined;
    const tool = { ...toolOf(step), arguments: step.title, ...(queries === undefined ? {} : { queries }) };
    return chunk({ tool_calls: { type: 'tool_call', tool_call: [tool] } });
  }

  function respond(step_id: string, summary: string): string {
    const step = calls.get(step_id);
    if (step === undefined || !calls.delete(step_id)) return '';
    const sources = step.kind === 'search' ? found.map(({ title, url }) => ({ title: title || url, url })) : undefined;
    if (sources !== undefined) found = [];
    const tool = { ...toolOf(step), arguments: summary, ...(sources === undefined ? {} : { sources }) };
    return chunk({ tool_calls: { type: 'tool_response', tool_response: [tool] } });
  }

  /** The responses of all searches; the first one has the sources. */
  function respondToSearches(): string {
    const searches = [...calls.values()].filter(({ kind }) => kind === 'search');
    return searches.map(({ step_id }) => respond(step_id, 'Completed')).join('');
  }

  function complete(ended: CompletedEvent): string {
    const sources = chunk({ sources: citedIn(ended) });
    if (ended.evidence !== undefined) return `${chunk({ content: reportOf(ended).content })}${sources}event: done\n\n`;
    const text = answerText(ended);
    // The words of a refusal are in no delta.
    return `${say(text.slice(sent))}${say(sourcesBlock(text, ended.sources))}${sources}event: done\n\n`;
  }

  function fail(message: string): string {
    return `data: ${JSON.stringify({ id: search_id, object: 'error', error: message })}\n\nevent: done\n\n`;
  }

  return ({ event }) => {
    switch (event.type) {
      case 'step.started':
        if (tools[event.kind] === undefined) return '';
        calls.set(event.step_id, event);
        return (event.kind === 'write' ? respondToSearches() : '') + call(event);
      case 'step.finished':
        if (calls.get(event.step_id)?.kind === 'search') return '';
        return respond(event.step_id, event.summary ?? event.error ?? event.status);
      case 'source.added':
        found.push(event.source);
        return '';
      case 'search.restarted':
        calls.clear();
        found = [];
        return '';
      case 'answer.delta':
        return say(event.text);
      case 'search.completed':
        return complete(event);
      case 'search.failed':
        return fail(event.error.message);
      case 'search.cancelled':
        return fail(errorOf(event).message);
      default:
        return '';
    }
  };
}

function toolOf({ kind, step_id, parent_id }: Started) {
  return { name: tools[kind]!, id: step_id, ...(parent_id === undefined ? {} : { parent_tool_call_id: parent_id }) };
}

function queriesOf({ input }: Started): unknown {
  return (input as { readonly queries?: unknown } | undefined)?.queries;
}
