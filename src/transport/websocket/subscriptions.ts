/** The runs that one connection subscribes to: for each a pump from the run's log to the socket. */
import type { RunState } from '../../../protocol/index.ts';
import type { Entry } from '../../runs/log.ts';
import type { Run } from '../../runs/run.ts';
import type { Socket } from '../exchange.ts';
import { type Pump, startPump } from '../pump.ts';

export interface Subscriptions {
  /** Sends the frames after seq `after`, then new ones as they come. Replaces an earlier subscription to the same run. */
  attach(run: Run, after: number): void;
  /** Returns whether there was a subscription to end. */
  detach(search_id: string): boolean;
  detachAll(): void;
  /** The socket can be written to again. */
  wake(): void;
  count(): number;
  /** For each run, the seq of the last frame that was sent. */
  list(): { search_id: string; seq: number; state: RunState }[];
}

interface Subscription {
  readonly run: Run;
  readonly pump: Pump;
  readonly detach: () => void;
}

/** Creates the subscriptions of one socket, empty. */
export function createSubscriptions(options: {
  readonly socket: Socket;
  /** Counts a reader of the run; the returned function uncounts it. */
  readonly attach: (run: Run) => () => void;
  /** Called for every frame that is sent. */
  readonly onFrame: () => void;
  /** Called when nothing could be sent for 20 s. */
  readonly onStall: () => void;
  /** Called after a subscription has ended. */
  readonly onDetached: () => void;
}): Subscriptions {
  const { socket, attach, onFrame, onStall, onDetached } = options;
  const subscriptions = new Map<string, Subscription>();

  function end({ run, pump, detach }: Subscription): void {
    pump.stop();
    if (subscriptions.get(run.search_id)?.pump === pump) subscriptions.delete(run.search_id);
    detach();
    onDetached();
  }

  return {
    attach(run, after) {
      const earlier = subscriptions.get(run.search_id);
      const format = (entry: Entry) => {
        onFrame();
        return run.log.text(entry);
      };
      const detach = attach(run);
      const pump = startPump({ log: run.log, after, to: socket, format, onEnd: () => end(subscription), onStall });
      const subscription: Subscription = { run, pump, detach };
      subscriptions.set(run.search_id, subscription);
      if (earlier !== undefined) end(earlier);
    },
    detach(search_id) {
      const subscription = subscriptions.get(search_id);
      if (subscription !== undefined) end(subscription);
      return subscription !== undefined;
    },
    detachAll() {
      for (const subscription of subscriptions.values()) end(subscription);
    },
    wake() {
      for (const { pump } of subscriptions.values()) pump.wake();
    },
    count: () => subscriptions.size,
    list: () =>
      [...subscriptions.values()].map(({ run, pump }) => ({
        search_id: run.search_id,
        seq: pump.cursor(),
        state: run.state(),
      })),
  };
}
