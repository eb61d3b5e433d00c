/** What people call the ways in which searches come and end. */
import type { SearchChannel, SearchList, SearchOutcome } from '../../../../protocol/index.ts';

export type Item = SearchList['items'][number];

export const channelNames: Readonly<Record<SearchChannel, string>> = {
  http: 'HTTP',
  sse: 'Event stream',
  websocket: 'WebSocket',
  background: 'Background',
  schedule: 'Schedule',
  example: 'Example of a design',
  openai: 'OpenAI chat completions',
  responses: 'OpenAI responses',
  'ai-sdk': 'AI SDK',
  tavily: 'Tavily',
  'open-webui': 'Open WebUI',
  mcp: 'MCP',
};

export const outcomeNames: Readonly<Record<SearchOutcome, string>> = {
  answered: 'answered',
  partial: 'partly answered',
  not_found: 'not found',
  conflicting: 'sources disagree',
  failed: 'failed',
  cancelled: 'stopped',
};

/** How it came; of searches that an earlier server recorded only the protocol is known. */
export function channelOf({ channel, door }: Pick<Item, 'channel' | 'door'>): string {
  if (channel !== undefined) return channelNames[channel];
  return door === 'native' ? 'Citewire' : channelNames[door];
}

/** How it ended, or that it runs. */
export function outcomeOf({ state, status }: Pick<Item, 'state' | 'status'>): string {
  if (state === 'completed') return status === undefined ? 'completed' : outcomeNames[status];
  return state === 'running' ? 'running' : outcomeNames[state];
}

/** Milliseconds, until now while it runs. */
export function durationOf({ created_at, ended_at }: Pick<Item, 'created_at' | 'ended_at'>): number {
  return (ended_at === undefined ? Date.now() : Date.parse(ended_at)) - Date.parse(created_at);
}
