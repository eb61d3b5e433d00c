/**
 * The log as the events of a task run: how far it is, and at last its state with the output. Clients that connect again read them
 * from the start, as in Parallel's API.
 */
import type { ParallelOutput, SearchEventOf, TerminalEvent } from '../../../../protocol/index.ts';
import type { Run } from '../../../runs/run.ts';
import { errorOf } from '../../../transport/http/await-result.ts';
import type { EventFormat } from '../../../transport/http/sse.ts';
import { outputOf } from './output.ts';
import { taskRunOf } from './task-run.ts';

type StepKind = SearchEventOf<'step.started'>['kind'];

/** The kind of message, and the percentage that is shown, of each stage. How long a stage lasts is not known; set by hand. */
const stages: Readonly<Record<StepKind, { readonly message: string; readonly percent: number }>> = {
  plan: { message: 'plan', percent: 5 },
  search: { message: 'search', percent: 20 },
  fetch: { message: 'tool_call', percent: 35 },
  read: { message: 'tool_call', percent: 50 },
  rank: { message: 'exec_status', percent: 60 },
  write: { message: 'result', percent: 75 },
  verify: { message: 'exec_status', percent: 90 },
};
const states = { 'search.completed': 'completed', 'search.failed': 'failed', 'search.cancelled': 'cancelled' } as const;
/** Addresses that are shown as a sample; set by hand. */
const maxSample = 10;

/** The events of a run, for one reader. */
export function taskEvents(run: Pick<Run, 'search_id' | 'created_at' | 'echoed'>): EventFormat {
  const urls: string[] = [];
  let percent = 0;

  function report(terminal?: TerminalEvent, ended_at?: string, output: ParallelOutput | null = null): string {
    const state = terminal === undefined ? 'running' : states[terminal.type];
    const failed = terminal === undefined || terminal.type === 'search.completed' ? undefined : errorOf(terminal);
    const task = taskRunOf({ ...run, ended_at, state, error: failed });
    return emit('task_run.state', { event_id: null, input: null, run: task, output });
  }

  function stats(): string {
    return emit('task_run.progress_stats', {
      progress_meter: percent,
      source_stats: {
        num_sources_considered: urls.length,
        num_sources_read: urls.length,
        sources_read_sample: urls.slice(0, maxSample),
      },
    });
  }

  return ({ event, at }) => {
    switch (event.type) {
      case 'search.accepted':
        return report();
      case 'search.restarted':
        urls.length = 0;
        return '';
      case 'source.added':
        urls.push(event.source.url);
        return '';
      case 'step.started': {
        const stage = stages[event.kind];
        percent = Math.max(percent, stage.percent);
        const message = emit(`task_run.progress_msg.${stage.message}`, { message: event.title, timestamp: at });
        return message + stats();
      }
      case 'search.completed':
        percent = 100;
        return stats() + report(event, at, outputOf(event));
      case 'search.failed':
      case 'search.cancelled':
        return report(event, at);
      default:
        return '';
    }
  };
}

function emit(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
