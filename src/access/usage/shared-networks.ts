/**
 * Records which accounts call from the same network in the same minute, to find one user's calls split among accounts.
 * An address is held in memory for its minute; nothing is stored about networks with one account. For the others, the
 * accounts and their calls are stored for a week under a mark that is the same in all processes: 24 bits of an HMAC of
 * the minute and the network, whose secret is deleted at the end of its day. Many networks have the same mark, so it
 * identifies no address. Among 100 networks in a minute, two collide in one minute out of 3,000.
 */
import { createHmac } from 'node:crypto';
import { isPublicAddress, networkOf } from '../../base/addresses.ts';
import type { AccessRecords, SharedMinute } from '../access-records.ts';
import type { Caller } from '../identity.ts';

/** Numbers of calls by account id. */
type Calls = Map<string, number>;

export interface SharedNetworks {
  /** Counts an allowed call. */
  count(caller: Caller): void;
  /** Writes the counts that are not written yet. */
  close(): Promise<void>;
}

const minuteMs = 60_000;
const retentionMinutes = 7 * 24 * 60;
/** Bounds per minute: beyond them, new networks and new accounts of a network are ignored. Set by hand. */
const maxNetworks = 20_000;
const maxAccounts = 50;
const maxRows = 1_000;

/** Writes at the end of each minute. A failed write is dropped. */
export function createSharedNetworks(options: {
  readonly records: Pick<AccessRecords, 'networkSecret' | 'addSharedMinutes' | 'forgetNetworks'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}): SharedNetworks {
  const { records, now = Date.now } = options;
  /** Calls by address; undefined for an address that is not counted. Addresses of one network share its entry. */
  let addresses = new Map<string, Calls | undefined>();
  let networks = new Map<string, Calls>();
  let minute = Math.floor(now() / minuteMs);
  let forgotten = 0;
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(endMinuteIfOver, minuteMs / 4);
  timer.unref();

  function endMinuteIfOver(): void {
    const current = Math.floor(now() / minuteMs);
    if (current === minute) return;
    settle();
    minute = current;
    if (minute - forgotten >= 60) forget();
  }

  function settle(): void {
    const ended = timeOf(minute);
    const shared = [...networks].filter(([, calls]) => calls.size > 1);
    addresses = new Map();
    networks = new Map();
    // A failed write is dropped: these are hints, and there will be others.
    if (shared.length > 0) writing = writing.then(() => write(ended, shared)).catch(() => {});
  }

  /** Runs hourly and soon after the start, whether or not there are calls. */
  function forget(): void {
    forgotten = minute;
    const [day, oldest] = [dayOf(timeOf(minute)), timeOf(minute - retentionMinutes)];
    writing = writing.then(() => records.forgetNetworks(day, oldest)).catch(() => {});
  }

  function callsFrom(address: string): Calls | undefined {
    if (!isPublicAddress(address)) return undefined;
    const network = networkOf(address);
    const known = networks.get(network);
    if (known !== undefined || networks.size >= maxNetworks) return known;
    const calls: Calls = new Map();
    networks.set(network, calls);
    return calls;
  }

  async function write(of: string, shared: readonly [string, Calls][]): Promise<void> {
    const secret = await records.networkSecret(dayOf(of));
    const rows = shared.flatMap(([network, accounts]): SharedMinute[] => {
      const mark = createHmac('sha256', secret).update(`${of} ${network}`).digest('hex').slice(0, 6);
      return [...accounts].map(([account_id, calls]) => ({ minute: of, mark, account_id, calls }));
    });
    await records.addSharedMinutes(rows.slice(0, maxRows));
  }

  return {
    count({ account_id, address }) {
      if (address === undefined) return;
      endMinuteIfOver();
      let calls = addresses.get(address);
      if (calls === undefined && !addresses.has(address)) {
        calls = callsFrom(address);
        if (addresses.size < maxNetworks) addresses.set(address, calls);
      }
      if (calls === undefined) return;
      const before = calls.get(account_id);
      if (before !== undefined || calls.size < maxAccounts) calls.set(account_id, (before ?? 0) + 1);
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
