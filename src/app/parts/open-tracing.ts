/** Opens traces if the settings name a collector; without one, nothing of them is loaded. */
import type { Config } from '../../base/config.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { version } from '../../base/own-package.ts';
import type { OpenTracing } from '../../telemetry/tracing.ts';
import { createTrustedFetch } from '../../web/fetch/trusted-fetch.ts';

/** Resolves with undefined where the settings name no collector. */
export async function openTracing({ telemetry }: Config, metrics: Metrics, log: Log): Promise<OpenTracing | undefined> {
  if (telemetry === undefined) return undefined;
  const { createTracing } = await import('../../telemetry/tracing.ts');
  const trusted = createTrustedFetch();
  const tracing = createTracing({
    config: telemetry,
    version,
    fetch: trusted.fetch,
    onSpans: metrics.spans,
    onTrouble(reason) {
      if (reason === undefined) log.info('traces are exported again');
      else log.warn({ reason }, 'traces cannot be exported');
    },
  });
  return {
    ...tracing,
    async close() {
      await tracing.close();
      await trusted.close();
    },
  };
}
