/**
 * The metrics of the server for Prometheus: one function or gauge per kind of event. Every label value comes from a short
 * list that the server defines (routes, endings, adapter names): never a key, an account, an address, a URL or a prompt.
 */

import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { DoorName } from '../../protocol/index.ts';

/** What a call goes to. */
export type UpstreamKind = 'model' | 'provider' | 'embeddings' | 'rerank';

/** What a search may take depends on it. */
export interface SearchKind {
  /** The protocol through which it came. */
  readonly door: DoorName;
  readonly effort: 'fast' | 'balanced' | 'deep';
  readonly isBackground: boolean;
}

export interface Metrics {
  /** `route` is a name from protocol/routes.ts, `page` or `unknown`; `seconds` is the time to the end of the response. */
  request(route: string, status: number, seconds: number): void;
  searchEnded(ending: 'completed' | 'failed' | 'cancelled', seconds: number, kind: SearchKind): void;
  searchThrottled(): void;
  /** A decision of the rate limiter; `bucket` as in plans.ts. */
  limited(bucket: string, allowed: boolean): void;
  /** The limiter switched between the shared log and that of this process. */
  limiterState(state: 'shared' | 'local'): void;
  signInFailed(code: 'unauthorized' | 'forbidden' | 'rate_limited'): void;
  /** `embedded` and `reranked` are the input of the endpoints that help to find passages. */
  tokens(direction: 'input' | 'output' | 'embedded' | 'reranked', count: number): void;
  /** A stage of a search, by its kind, and how long it took in all. */
  stage(kind: string, seconds: number): void;
  droppedCitations(count: number): void;
  /** A search continued without its model in some stage. */
  modelFallback(): void;
  /** Something was learned about the endpoint of a model. */
  modelLesson(lesson: string): void;
  /** A call to a model or a search provider, by the name of its adapter. */
  upstreamCall(kind: UpstreamKind, name: string, outcome: 'ok' | 'error' | 'limited', seconds: number): void;
  /** A webhook was posted. */
  webhookTried(outcome: 'delivered' | 'retried' | 'failed'): void;
  /** Spans that were exported, and those that were dropped because the collector did not take them. */
  spans(outcome: 'exported' | 'dropped', count: number): void;
  /** Reads the gauge whenever the metrics are scraped. A second call for the same gauge replaces its source. */
  watch(gauge: GaugeName, read: () => number): void;
  readonly contentType: string;
  /** The Prometheus text format. */
  text(): Promise<string>;
}

const gauges = {
  searches_in_flight: 'Searches running in this process.',
  searches_in_background: 'Background searches that this process runs.',
  searches_waiting: 'Searches waiting for capacity.',
  model_calls_waiting: 'Calls to models waiting for a place at their endpoint.',
  passages_with_vectors: 'Passages of the index that have a vector, where an embedding model is configured.',
  passages_without_vectors: 'Passages of the index that wait for one.',
  searches_unstored: 'Ended searches waiting to be stored.',
  searches_lost: 'Ended searches that could not be stored, since the start.',
  webhooks_in_flight: 'Webhooks being posted.',
  overloaded: '1 while searches of throttled plans are delayed.',
  loop_delay_seconds: 'Event loop delay, 99th percentile.',
  sockets_open: 'Open WebSocket connections.',
  streams_open: 'Open event streams.',
  buffered_bytes: 'Bytes written but not yet sent to readers.',
} as const;
export type GaugeName = keyof typeof gauges;

/** Histogram buckets in seconds: from a cached answer to the longest search that is waited for. */
const requestSeconds = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120];
/** And to the longest in the background. */
const searchSeconds = [...requestSeconds, 300, 600, 1_800];

/** Metrics with their own registry, so that two servers in one process do not share them. */
export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name: `citewire_${name}_total`, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets = requestSeconds,
  ) => new Histogram({ name: `citewire_${name}_seconds`, help, labelNames, buckets, registers });

  const requests = counter('requests', 'HTTP calls and upgrades answered.', ['route', 'status']);
  const requestTimes = histogram('request', 'Time to the end of the response.', ['route']);
  const searches = counter('searches', 'Searches ended.', ['ending', 'door']);
  const searchTimes = histogram('search', 'Duration of a search.', ['ending', 'effort', 'background'], searchSeconds);
  const throttled = counter('searches_throttled', 'Searches delayed because of their plan.');
  const decisions = counter('limiter_decisions', 'Decisions of the rate limiter.', ['bucket', 'decision']);
  const fallbacks = counter('limiter_changes', 'Changes between the shared and the local limiter.', ['state']);
  const local = new Gauge({
    name: 'citewire_limiter_local',
    help: '1 while this process limits without the shared log.',
    registers,
  });
  const signIns = counter('failed_sign_ins', 'Calls without a valid key.', ['code']);
  const tokens = counter('tokens', 'Tokens exchanged with models.', ['direction']);
  const stageTimes = histogram('stage', 'Duration of the stages of a search.', ['stage']);
  const dropped = counter('dropped_citations', 'Citation markers that no quote supported.');
  const fallbacksOfModels = counter('model_fallbacks', 'Searches that continued without their model in some stage.');
  const lessons = counter('model_lessons', 'What was learned about endpoints of models.', ['lesson']);
  const upstream = counter('upstream_calls', 'Calls to models and search providers.', ['kind', 'name', 'outcome']);
  const upstreamTimes = histogram('upstream_call', 'Duration of calls to models and search providers.', [
    'kind',
    'name',
  ]);

  const webhooks = counter('webhook_tries', 'Attempts to deliver a webhook.', ['outcome']);

  const spans = counter('spans', 'Spans of traces.', ['outcome']);

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
    searchEnded(ending, seconds, { door, effort, isBackground }) {
      searches.inc({ ending, door });
      searchTimes.observe({ ending, effort, background: isBackground ? 'yes' : 'no' }, seconds);
    },
    searchThrottled: () => throttled.inc(),
    limited: (bucket, allowed) => decisions.inc({ bucket, decision: allowed ? 'allowed' : 'refused' }),
    limiterState(state) {
      fallbacks.inc({ state });
      local.set(state === 'local' ? 1 : 0);
    },
    signInFailed: (code) => signIns.inc({ code }),
    tokens: (direction, count) => tokens.inc({ direction }, count),
    stage: (stage, seconds) => stageTimes.observe({ stage }, seconds),
    droppedCitations: (count) => dropped.inc(count),
    modelFallback: () => fallbacksOfModels.inc(),
    modelLesson: (lesson) => lessons.inc({ lesson }),
    upstreamCall(kind, name, outcome, seconds) {
      upstream.inc({ kind, name, outcome });
      upstreamTimes.observe({ kind, name }, seconds);
    },
    webhookTried: (outcome) => webhooks.inc({ outcome }),
    spans: (outcome, count) => spans.inc({ outcome }, count),
    watch: (gauge, read) => void sources.set(gauge, read),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
