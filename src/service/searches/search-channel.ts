/** How a search arrived, as the list of searches shows it. */
import type { SearchChannel } from '../../../protocol/index.ts';
import type { SearchCall } from '../calls.ts';

/** The door of the search or, for a native one, its transport. */
export function channelOf(
  { door = 'native', connection }: SearchCall,
  isBackground: boolean,
  isStreamed: boolean,
): SearchChannel {
  if (door !== 'native') return door;
  if (isBackground) return 'background';
  if (connection !== undefined) return 'websocket';
  return isStreamed ? 'sse' : 'http';
}
