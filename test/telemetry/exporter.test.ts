import { describe, expect, it } from 'vitest';
import { createSpanExporter, type SpanExporterOptions } from '../../src/telemetry/exporter.ts';
import type { Span } from '../../src/telemetry/span.ts';
import { startCollector } from '../support/servers/collector.ts';

const span = (name: string): Span => ({
  trace_id: 'a'.repeat(32),
  span_id: 'b'.repeat(16),
  parent_id: undefined,
  name,
  kind: 'internal',
  start: 1_700_000_000_000,
  end: 1_700_000_000_001.5,
  attributes: { text: 'é\ud800', whole: 3, share: 0.5, is: true, list: ['a', 'b'], none: undefined },
});

function exporterTo(url: string, more: Partial<SpanExporterOptions> = {}) {
  const counts = { exported: 0, dropped: 0 };
  const troubles: (string | undefined)[] = [];
  const exporter = createSpanExporter({
    url: `${url}/v1/traces`,
    headers: {},
    resource: { 'service.name': 'tests' },
    version: '1',
    fetch,
    delayMs: 5,
    retryMs: 1,
    onSpans(outcome, count) {
      counts[outcome] += count;
    },
    onTrouble: (reason) => troubles.push(reason),
    ...more,
  });
  return { exporter, counts, troubles };
}

describe('the exporter of spans', () => {
  it('writes OTLP as JSON, with every kind of attribute', async () => {
    await using collector = await startCollector();
    const { exporter, counts } = exporterTo(collector.url);
    exporter.add(span('one'));
    await expect.poll(() => counts.exported).toBe(1);
    expect(collector.spans[0]).toMatchObject({
      name: 'one',
      startTimeUnixNano: '1700000000000000000',
      endTimeUnixNano: '1700000000001500000',
      attributes: { text: 'é\ufffd', whole: 3, share: 0.5, is: true, list: ['a', 'b'] },
    });
    expect(collector.spans[0]!.attributes).not.toHaveProperty('none');
    await exporter.close();
  });

  it('sends spans in batches, one at a time', async () => {
    await using collector = await startCollector();
    let open = 0;
    let most = 0;
    collector.answer = (response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.writeHead(200).end();
      }, 5);
    };
    const { exporter, counts } = exporterTo(collector.url);
    for (let at = 0; at < 2_000; at += 1) exporter.add(span(`${at}`));
    await exporter.close();
    expect(counts).toEqual({ exported: 2_000, dropped: 0 });
    expect(collector.spans.map(({ name }) => Number(name))).toEqual([...Array(2_000).keys()]);
    expect([most, collector.requests.length]).toEqual([1, 4]);
  });

  it('sends a batch again while the collector is overloaded, and says so once', async () => {
    await using collector = await startCollector();
    collector.answer = (response, count) => void response.writeHead(count < 3 ? 503 : 200).end();
    const { exporter, counts, troubles } = exporterTo(collector.url);
    exporter.add(span('late'));
    await expect.poll(() => counts).toEqual({ exported: 1, dropped: 0 });
    expect(collector.requests).toHaveLength(4);
    expect(troubles).toEqual(['the collector answered 503', undefined]);
    await exporter.close();
  });

  it('drops, and counts, what the collector refuses', async () => {
    await using collector = await startCollector();
    collector.answer = (response) => void response.writeHead(400).end();
    const { exporter, counts } = exporterTo(collector.url);
    exporter.add(span('refused'));
    await expect.poll(() => counts).toEqual({ exported: 0, dropped: 1 });
    expect(collector.requests).toHaveLength(1);
    collector.answer = (response) =>
      void response.writeHead(200).end(JSON.stringify({ partialSuccess: { rejectedSpans: '1' } }));
    exporter.add(span('taken'));
    exporter.add(span('rejected'));
    await expect.poll(() => counts).toEqual({ exported: 1, dropped: 2 });
    await exporter.close();
  });

  it('holds no more than its queue while the collector hangs, and is closed all the same', async () => {
    await using collector = await startCollector();
    collector.answer = () => {};
    const { exporter, counts } = exporterTo(collector.url);
    const sent = 512;
    const room = 2_048;
    for (let at = 0; at < sent + room + 100; at += 1) exporter.add(span(`${at}`));
    expect(counts.dropped).toBe(100);
    await exporter.close();
    expect(counts).toEqual({ exported: 0, dropped: sent + room + 100 });
  });
});
