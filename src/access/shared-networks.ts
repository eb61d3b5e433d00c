/**
 * Which accounts call from one place in the same minute, for whoever looks for accounts that split a user's calls among
 * themselves. An address is held for its minute, in memory; nothing at all is kept of places where one account calls.
 * Of the others the accounts and their calls are kept for a week, under a mark by which processes find together: 24 bits
 * of an HMAC of the minute and the place, whose secret is forgotten when its day is over. Many places have the same mark,
 * so it proves nobody's address; among 100 places of a minute two share one in a minute out of 3,000.
 */
import { createHmac } from 'node:crypto';
import { isPublicAddress, networkOf } from '../base/addresses.ts';
import type { AccessRecords, SharedMinute } from './access-records.ts';
import type { Caller } from './identity.ts';

/** By account. */
type Calls = Map<string, number>;

export interface SharedNetworks {
  /** Counts an allowed call. */
  count(caller: Caller): void;
  /** Writes what is not yet written. */
  close(): Promise<void>;
}

const minuteMs = 60_000;
const keptMinutes = 7 * 24 * 60;
/** Most of a minute: beyond it calls from new places, and new accounts of a place, are not looked at. */
const mostNetworks = 20_000;
const mostAccounts = 50;
const mostRows = 1_000;

export function createSharedNetworks(options: {
  readonly records: Pick<AccessRecords, 'networkSecret' | 'addSharedMinutes' | 'forgetNetworks'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}): SharedNetworks {
  const { records, now = Date.now } = options;
  /** By address, and by what it is a part of, the calls of each account there; none for an address that is not looked at. */
  let addresses = new Map<string, Calls | undefined>();
  let places = new Map<string, Calls>();
  let minute = Math.floor(now() / minuteMs);
  let forgotten = 0;
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(turn, minuteMs / 4);
  timer.unref();

  /** Ends the minute, if it is over. */
  function turn(): void {
    const current = Math.floor(now() / minuteMs);
    if (current === minute) return;
    settle();
    minute = current;
    if (minute - forgotten >= 60) forget();
  }

  function settle(): void {
    const ended = timeOf(minute);
    const shared = [...places].filter(([, calls]) => calls.size > 1);
    addresses = new Map();
    places = new Map();
    // What cannot be written is lost: it is a hint, and there will be others.
    if (shared.length > 0) writing = writing.then(() => write(ended, shared)).catch(() => {});
  }

  /** Every hour, and soon after the start: what has had its time goes, though nobody calls. */
  function forget(): void {
    forgotten = minute;
    const [day, oldest] = [dayOf(timeOf(minute)), timeOf(minute - keptMinutes)];
    writing = writing.then(() => records.forgetNetworks(day, oldest)).catch(() => {});
  }

  function callsFrom(address: string): Calls | undefined {
    if (!isPublicAddress(address)) return undefined;
    const place = networkOf(address);
    const known = places.get(place);
    if (known !== undefined || places.size >= mostNetworks) return known;
    const calls: Calls = new Map();
    places.set(place, calls);
    return calls;
  }

  async function write(of: string, shared: readonly [string, Calls][]): Promise<void> {
    const secret = await records.networkSecret(dayOf(of));
    const rows = shared.flatMap(([place, callsThere]): SharedMinute[] => {
      const mark = createHmac('sha256', secret).update(`${of} ${place}`).digest('hex').slice(0, 6);
      return [...callsThere].map(([account_id, calls]) => ({ minute: of, mark, account_id, calls }));
    });
    await records.addSharedMinutes(rows.slice(0, mostRows));
  }

  return {
    count({ account_id, address }) {
      if (address === undefined) return;
      turn();
      let calls = addresses.get(address);
      if (calls === undefined && !addresses.has(address)) {
        calls = callsFrom(address);
        if (addresses.size < mostNetworks) addresses.set(address, calls);
      }
      if (calls === undefined) return;
      const before = calls.get(account_id);
      if (before !== undefined || calls.size < mostAccounts) calls.set(account_id, (before ?? 0) + 1);
    },

    async close() {
      clearInterval(timer);
      settle();
      await writing;
    },
  };
}

function dayOf(time: string): string {
  return time.slice(0, 'YYYY-MM-DD'.length);
}

/** `YYYY-MM-DDTHH:MM`, UTC. */
function timeOf(minute: number): string {
  return new Date(minute * minuteMs).toISOString().slice(0, 16);
}
