/** The searches that one connection reads: for each a pump from its run's log to the socket. */
import type { RunState } from '../../../protocol/index.ts';
import type { Run } from '../../runs/run.ts';
import type { Socket } from '../exchange.ts';
import { type Pump, startPump } from '../pump.ts';

export interface Readings {
  /** Sends what stands behind `after`, and what comes. What was read of the same run before ends, for it is read once. */
  begin(run: Run, after: number): void;
  /** Whether there was something to stop. */
  stop(search_id: string): boolean;
  stopAll(): void;
  /** There is room again. */
  wake(): void;
  count(): number;
  /** How far each has come. */
  list(): { search_id: string; seq: number; state: RunState }[];
}

interface Reading {
  readonly run: Run;
  readonly pump: Pump;
  readonly leave: () => void;
}

export function createReadings(options: {
  readonly socket: Socket;
  /** Counts a reader of the run in; the returned function counts it out. */
  readonly read: (run: Run) => () => void;
  /** Called for every frame that is sent. */
  readonly onFrame: () => void;
  readonly onStall: () => void;
  /** Called after one has stopped. */
  readonly onLess: () => void;
}): Readings {
  const { socket, read, onFrame, onStall, onLess } = options;
  const readings = new Map<string, Reading>();

  function end({ run, pump, leave }: Reading): void {
    pump.stop();
    if (readings.get(run.search_id)?.pump === pump) readings.delete(run.search_id);
    leave();
    onLess();
  }

  return {
    begin(run, after) {
      const before = readings.get(run.search_id);
      const format = ({ text }: { readonly text: string }) => {
        onFrame();
        return text;
      };
      const leave = read(run);
      const pump = startPump({ log: run.log, after, to: socket, format, onEnd: () => end(reading), onStall });
      const reading: Reading = { run, pump, leave };
      readings.set(run.search_id, reading);
      if (before !== undefined) end(before);
    },
    stop(search_id) {
      const reading = readings.get(search_id);
      if (reading !== undefined) end(reading);
      return reading !== undefined;
    },
    stopAll() {
      for (const reading of readings.values()) end(reading);
    },
    wake() {
      for (const { pump } of readings.values()) pump.wake();
    },
    count: () => readings.size,
    list: () =>
      [...readings.values()].map(({ run, pump }) => ({
        search_id: run.search_id,
        seq: pump.cursor(),
        state: run.state(),
      })),
  };
}
