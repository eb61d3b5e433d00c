import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/base/metrics.ts';

describe('metrics', () => {
  it('writes the Prometheus text format with what happened', async () => {
    const metrics = createMetrics();
    metrics.request('search', 200, 0.3);
    metrics.request('search', 429, 0.001);
    metrics.searchEnded('completed', 1.5, { door: 'openai', effort: 'deep', isBackground: true });
    metrics.searchThrottled();
    metrics.limited('calls', true);
    metrics.limited('calls', false);
    metrics.limiterState('local');
    metrics.signInFailed('unauthorized');
    metrics.tokens('input', 1200);
    metrics.upstreamCall('provider', 'brave', 'limited', 0.1);
    let sockets = 1;
    metrics.watch('sockets_open', () => sockets);
    sockets = 7;
    const text = await metrics.text();
    const lines = text.split('\n');
    for (const line of [
      'citewire_requests_total{route="search",status="200"} 1',
      'citewire_requests_total{route="search",status="429"} 1',
      'citewire_searches_total{ending="completed",door="openai"} 1',
      'citewire_search_seconds_count{ending="completed",effort="deep",background="yes"} 1',
      'citewire_searches_throttled_total 1',
      'citewire_limiter_decisions_total{bucket="calls",decision="refused"} 1',
      'citewire_limiter_changes_total{state="local"} 1',
      'citewire_limiter_local 1',
      'citewire_failed_sign_ins_total{code="unauthorized"} 1',
      'citewire_tokens_total{direction="input"} 1200',
      'citewire_upstream_calls_total{kind="provider",name="brave",outcome="limited"} 1',
      'citewire_sockets_open 7',
      'citewire_searches_waiting 0',
    ]) {
      expect(lines).toContain(line);
    }
    expect(metrics.contentType).toMatch(/^text\/plain; version=/);
  });

  it('keeps the metrics of two servers in one process apart', async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.tokens('output', 5);
    expect(await other.text()).not.toContain('citewire_tokens_total{');
  });
});
