/** Opens webhooks: what posts them, what keeps their secrets, and what tries again. */
import type { Config } from '../../base/config.ts';
import type { OnFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { createWebhookPoster, type WebhookPoster } from '../../web/fetch/post-webhook.ts';
import { createDeliveries, type Deliveries, type WatchTry } from '../../webhooks/deliveries.ts';
import { createSecretBox, type SecretBox } from '../../webhooks/secret-box.ts';
import type { WebhookRecords } from '../../webhooks/webhook-records.ts';
import type { Closers } from './closers.ts';
import { createSentenceLog } from './trouble-log.ts';

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
  watch: { log: Log; metrics: Metrics; onFault: OnFault; watchTry: WatchTry | undefined },
  { opened }: Closers,
): OpenWebhooks {
  const { log, metrics, onFault, watchTry } = watch;
  const { post, check: checkUrl } = opened(createWebhookPoster({ allowHosts: config.fetchAllowHosts }));
  const box = createSecretBox(config.secretsKey);
  const onTry = metrics.webhookTried;
  const warn = createSentenceLog(log);
  const onUnreadable = (reason: string) =>
    warn(`a signing secret of webhooks cannot be read, and what only it signs is left to other servers: ${reason}`);
  const deliveries = opened(createDeliveries({ records, post, box, onFault, onUnreadable, onTry, watchTry }));
  metrics.watch('webhooks_in_flight', () => deliveries.inFlight());
  checkKey(records, box, onUnreadable);
  return { box, checkUrl, deliveries };
}

/** Says at the start, rather than with the first webhook, that SECRETS_KEY is not that of the other servers. */
function checkKey(records: WebhookRecords, box: SecretBox, onUnreadable: (reason: string) => void): void {
  records.newestSecret().then(
    (sealed) => {
      try {
        if (sealed !== undefined) box.open(sealed);
      } catch (error) {
        onUnreadable((error as Error).message);
      }
    },
    // An outage of the store is reported elsewhere.
    () => {},
  );
}
