/** Opens webhooks: what posts them, what keeps their secrets, and what tries again. */
import type { Config } from '../../base/config.ts';
import type { OnFault } from '../../base/errors.ts';
import type { Metrics } from '../../base/metrics.ts';
import { createWebhookPoster, type WebhookPoster } from '../../web/fetch/post-webhook.ts';
import { createDeliveries, type Deliveries, type WatchTry } from '../../webhooks/deliveries.ts';
import { createSecretBox, type SecretBox } from '../../webhooks/secret-box.ts';
import type { WebhookRecords } from '../../webhooks/webhook-records.ts';
import type { Closers } from './closers.ts';

export interface OpenWebhooks {
  readonly box: SecretBox;
  /** Whether a URL may be posted to. */
  readonly checkUrl: WebhookPoster['check'];
  /** Not started yet. */
  readonly deliveries: Deliveries;
}

/** `watchTry` is absent unless traces are exported. */
export function openWebhooks(
  config: Config,
  records: WebhookRecords,
  { metrics, onFault, watchTry }: { metrics: Metrics; onFault: OnFault; watchTry: WatchTry | undefined },
  { opened }: Closers,
): OpenWebhooks {
  const { post, check: checkUrl } = opened(createWebhookPoster({ allowHosts: config.fetchAllowHosts }));
  const box = createSecretBox(config.secretsKey);
  const onTry = metrics.webhookTried;
  const deliveries = opened(createDeliveries({ records, post, box, onFault, onTry, watchTry }));
  metrics.watch('webhooks_in_flight', () => deliveries.inFlight());
  return { box, checkUrl, deliveries };
}
