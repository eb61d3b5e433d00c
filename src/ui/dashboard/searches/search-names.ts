/** Display names of how searches arrive and end. */
import type { SearchList } from '../../../../protocol/index.ts';
import { t } from '../../language/dashboard/text.ts';

export type Item = SearchList['items'][number];

/** How it arrived; for searches that an earlier version recorded, only the protocol is known. */
export function channelOf({ channel, door }: Pick<Item, 'channel' | 'door'>): string {
  if (channel !== undefined) return t.channels[channel];
  return door === 'native' ? 'Citewire' : t.channels[door];
}

/** How it ended, or that it runs. */
export function outcomeOf({ state, status }: Pick<Item, 'state' | 'status'>): string {
  if (state === 'completed') return status === undefined ? t.states.completed : t.outcomes[status];
  return state === 'running' ? t.states.running : t.outcomes[state];
}

/** Milliseconds, until now while it runs. */
export function durationOf({ created_at, ended_at }: Pick<Item, 'created_at' | 'ended_at'>): number {
  return (ended_at === undefined ? Date.now() : Date.parse(ended_at)) - Date.parse(created_at);
}
