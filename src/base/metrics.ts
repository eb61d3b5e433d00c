/**
 * What can be measured from outside: one function or gauge for each thing that happens, and the text that Prometheus
 * reads. Every label comes from a short list that this server chooses (routes, endings, names of adapters): never a key,
 * an account, an address, a URL or a prompt.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** `route` is a name of protocol/routes.ts, `page`, or `unknown`. */
  request(route: string, status: number, seconds: number): void;
  searchEnded(ending: 'completed' | 'failed' | 'cancelled', seconds: number): void;
  searchThrottled(): void;
  /** A decision of the limiter; `bucket` as in plans.ts. */
  limited(bucket: string, allowed: boolean): void;
  /** The limiter changed between the shared log and this process's own. */
  limiterState(state: 'shared' | 'local'): void;
  signInFailed(code: 'unauthorized' | 'forbidden' | 'rate_limited'): void;
  tokens(direction: 'input' | 'output', count: number): void;
  /** A call to a model or a search provider, by the name of its adapter. */
  upstreamCall(kind: 'model' | 'provider', name: string, outcome: 'ok' | 'error' | 'limited', seconds: number): void;
  /** Read anew whenever the metrics are read; giving the same gauge again replaces its source. */
  watch(gauge: GaugeName, read: () => number): void;
  readonly contentType: string;
  /** The Prometheus text format. */
  text(): Promise<string>;
}

const gauges = {
  searches_in_flight: 'Searches that run in this process.',
  searches_waiting: 'Searches that wait for their turn.',
  overloaded: '1 while throttled plans are held back.',
  loop_delay_seconds: 'How late the event loop comes, the slowest hundredth.',
  sockets_open: 'Open WebSocket connections.',
  streams_open: 'Open event streams.',
  buffered_bytes: 'Bytes that readers have not taken yet.',
} as const;
export type GaugeName = keyof typeof gauges;

const requestSeconds = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120];

export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name: `citewire_${name}_total`, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Histogram({ name: `citewire_${name}_seconds`, help, labelNames, buckets: requestSeconds, registers });

  const requests = counter('requests', 'HTTP calls and upgrades answered.', ['route', 'status']);
  const requestTimes = histogram('request', 'Time to the end of the answer.', ['route']);
  const searches = counter('searches', 'Searches ended.', ['ending']);
  const searchTimes = histogram('search', 'Time from the start of a search to its end.', ['ending']);
  const throttled = counter('searches_throttled', 'Searches held back because of their plan.');
  const decisions = counter('limiter_decisions', 'Decisions of the rate limiter.', ['bucket', 'decision']);
  const fallbacks = counter('limiter_changes', 'Changes between the shared and the local limiter.', ['state']);
  const local = new Gauge({
    name: 'citewire_limiter_local',
    help: '1 while this process limits by its own log.',
    registers,
  });
  const signIns = counter('failed_sign_ins', 'Calls without a valid key.', ['code']);
  const tokens = counter('tokens', 'Tokens exchanged with models.', ['direction']);
  const upstream = counter('upstream_calls', 'Calls to models and search providers.', ['kind', 'name', 'outcome']);
  const upstreamTimes = histogram('upstream_call', 'Time of calls to models and providers.', ['kind', 'name']);

  const sources = new Map<GaugeName, () => number>();
  for (const [name, help] of Object.entries(gauges)) {
    new Gauge({
      name: `citewire_${name}`,
      help,
      registers,
      collect() {
        this.set(sources.get(name as GaugeName)?.() ?? 0);
      },
    });
  }

  return {
    request(route, status, seconds) {
      requests.inc({ route, status: String(status) });
      requestTimes.observe({ route }, seconds);
    },
    searchEnded(ending, seconds) {
      searches.inc({ ending });
      searchTimes.observe({ ending }, seconds);
    },
    searchThrottled: () => throttled.inc(),
    limited: (bucket, allowed) => decisions.inc({ bucket, decision: allowed ? 'allowed' : 'refused' }),
    limiterState(state) {
      fallbacks.inc({ state });
      local.set(state === 'local' ? 1 : 0);
    },
    signInFailed: (code) => signIns.inc({ code }),
    tokens: (direction, count) => tokens.inc({ direction }, count),
    upstreamCall(kind, name, outcome, seconds) {
      upstream.inc({ kind, name, outcome });
      upstreamTimes.observe({ kind, name }, seconds);
    },
    watch: (gauge, read) => void sources.set(gauge, read),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
