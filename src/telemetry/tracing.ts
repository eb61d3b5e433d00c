/**
 * Traces of searches, exported over OTLP. A trace of a search has the span of the HTTP call that began it, if one did, the search
 * under it, and under that its steps, calls and webhooks. All of them are made when what they describe is over.
 *
 * Loaded only where the settings name a collector.
 */
import { randomUUID } from 'node:crypto';
import type { TelemetryConfig } from '../base/settings/telemetry-settings.ts';
import { formatTraceparent, newSpanId, newTraceId, parseTraceparent, type TraceContext } from '../base/traceparent.ts';
import type { CallWatch } from '../engine/ports/call-watch.ts';
import type { Tracing } from '../runs/tracing.ts';
import type { WatchTry } from '../webhooks/deliveries.ts';
import { createSpanExporter, type SpanExporterOptions } from './exporter.ts';
import { createSampler } from './sampler.ts';
import { type EndedCall, serverOf, spansOfRun } from './spans-of-run.ts';

export interface OpenTracing extends Tracing {
  /** The span of a try of a webhook. */
  readonly watchTry: WatchTry;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}

export interface TracingOptions extends Pick<SpanExporterOptions, 'fetch' | 'version' | 'onSpans' | 'onTrouble'> {
  readonly config: TelemetryConfig;
}

/** Calls of one search that become spans: a deep search makes about a hundred. Set by hand. */
const maxCalls = 1_000;

/** Traces as the settings want them. */
export function createTracing({ config, version, ...options }: TracingOptions): OpenTracing {
  const { url, headers, delayMs, hasContent } = config;
  const resource = {
    ...config.resource,
    'service.version': version,
    'service.instance.id': randomUUID(),
    'telemetry.sdk.name': 'citewire',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': version,
  };
  const exporter = createSpanExporter({ ...options, url, headers, resource, version, delayMs });
  const isSampled = createSampler(config.sampler, config.ratio);
  /** HTTP calls that are open, by the ids of their spans: whether a search began under each. */
  const open = new Map<string, boolean>();

  function under(parent: TraceContext | undefined): TraceContext {
    const trace_id = parent?.trace_id ?? newTraceId();
    return { trace_id, span_id: newSpanId(), sampled: isSampled(trace_id, parent) };
  }

  return {
    call(traceparent) {
      const parent = parseTraceparent(traceparent);
      const context = under(parent);
      const start = Date.now();
      if (context.sampled) open.set(context.span_id, false);
      return {
        traceparent: formatTraceparent(context),
        end({ method, route, path, host, isSecure, status }) {
          const isUsed = open.get(context.span_id) === true;
          open.delete(context.span_id);
          if (!isUsed) return;
          exporter.add({
            ...context,
            parent_id: parent?.span_id,
            name: route === undefined ? method : `${method} ${route}`,
            kind: 'server',
            start,
            end: Date.now(),
            attributes: {
              'http.request.method': method,
              'http.route': route,
              'http.response.status_code': status,
              'url.path': path,
              'url.scheme': isSecure ? 'https' : 'http',
              ...(host === undefined ? {} : serverOf(`${isSecure ? 'https' : 'http'}://${host}`)),
              'error.type': status !== undefined && status >= 500 ? String(status) : undefined,
            },
            isError: status !== undefined && status >= 500,
          });
        },
      };
    },

    search(traceparent) {
      const parent = parseTraceparent(traceparent);
      // The call's span, if this process made it, has decided for both.
      const isOfCall = parent !== undefined && open.has(parent.span_id);
      if (isOfCall) open.set(parent.span_id, true);
      const context = under(parent);
      const start = Date.now();
      const calls: EndedCall[] = [];
      return {
        traceparent: formatTraceparent(context),
        watch: watchInto(calls, context),
        end(run, about) {
          if (!context.sampled) return;
          const search = { context, parent_id: parent?.span_id, run, about, calls, start, hasContent };
          for (const span of spansOfRun(search)) exporter.add(span);
        },
      };
    },

    watchTry({ url: target, round, type, traceparent }) {
      const parent = parseTraceparent(traceparent ?? undefined);
      const context = under(parent);
      const start = Date.now();
      return {
        headers: { traceparent: formatTraceparent(context) },
        end(status) {
          if (!context.sampled) return;
          const isError = status === undefined || status >= 300;
          exporter.add({
            ...context,
            parent_id: parent?.span_id,
            name: 'POST',
            kind: 'client',
            start,
            end: Date.now(),
            attributes: {
              'http.request.method': 'POST',
              'http.request.resend_count': round === 0 ? undefined : round,
              'http.response.status_code': status,
              'citewire.webhook.type': type,
              ...serverOf(target),
              'error.type': isError ? String(status ?? '_OTHER') : undefined,
            },
            isError,
          });
        },
      };
    },

    close: () => exporter.close(),
  };
}

/** Collects the calls of a search. Those of one that is not recorded are only named to others. */
function watchInto(calls: EndedCall[], { trace_id, sampled }: TraceContext): CallWatch {
  return {
    begin(call) {
      const span_id = newSpanId();
      const start = Date.now();
      let isOver = false;
      return {
        headers: { traceparent: formatTraceparent({ trace_id, span_id, sampled }) },
        end(outcome = {}) {
          if (isOver || !sampled || calls.length >= maxCalls) return;
          isOver = true;
          calls.push({ ...outcome, call, span_id, start, end: Date.now() });
        },
      };
    },
  };
}
