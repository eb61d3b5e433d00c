/** Deliveries, sent or pending, one row each; a dialog shows the attempts of one. */
import { useState } from 'preact/hooks';
import type { WebhookDelivery, WebhookDeliveryRecord } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { formatAgo, formatDateTime, formatDuration } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { counted, fill, rich } from '../../language/message.ts';
import { describeSentence } from '../../language/server-text.ts';
import { Badge } from '../badge.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { eventName } from './event-names.ts';

interface RowsProps {
  readonly items: readonly WebhookDelivery[];
  readonly onRedeliver: (delivery_id: string) => Promise<void>;
}

export function DeliveryRows({ items, onRedeliver }: RowsProps) {
  const [shown, setShown] = useState<WebhookDelivery>();
  return (
    <>
      <ul class="rows" aria-label={t.webhooks.deliveries}>
        {items.map((delivery) => (
          <DeliveryRow key={delivery.delivery_id} of={delivery} onShow={setShown} onRedeliver={onRedeliver} />
        ))}
      </ul>
      {shown !== undefined && <TriesDialog of={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

const tones = { pending: 'accent', delivered: 'good', failed: 'bad' } as const;

interface RowProps {
  readonly of: WebhookDelivery;
  readonly onShow: (delivery: WebhookDelivery) => void;
  readonly onRedeliver: RowsProps['onRedeliver'];
}

function DeliveryRow({ of: delivery, onShow, onRedeliver }: RowProps) {
  const { delivery_id, type, url, state, created_at, tries, next_try_at, last_error } = delivery;
  const when = formatAgo(created_at);
  const name = eventName(type);
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {name} <Badge tone={tones[state]}>{t.deliveryStates[state]}</Badge>
        </span>
        <code class="row-code">{url}</code>
        <span class="row-about">
          <code>{type}</code>
          <span title={formatDateTime(created_at)}>{when}</span>
          <span>{counted(t.webhooks.count, tries)}</span>
          {last_error !== null && <span>{describeSentence(last_error)}</span>}
          {next_try_at !== null && tries > 0 && (
            <span>{fill(t.webhooks.next, { at: formatDateTime(next_try_at) })}</span>
          )}
        </span>
      </div>
      <div class="row-actions">
        <Button
          look="quiet"
          aria-label={fill(t.webhooks.triesOf, { type: name, when })}
          onClick={() => onShow(delivery)}
        >
          {t.webhooks.tries}
        </Button>
        <Button
          look="quiet"
          aria-label={fill(t.webhooks.sendAgainOf, { type: name, when })}
          onClick={() => onRedeliver(delivery_id)}
        >
          {t.webhooks.sendAgain}
        </Button>
      </div>
    </li>
  );
}

function TriesDialog({ of: { delivery_id }, onClose }: { readonly of: WebhookDelivery; readonly onClose: () => void }) {
  const path = `/v1/webhook-deliveries/${delivery_id}`;
  const loaded = useLoad(() => call<WebhookDeliveryRecord>('GET', path), [delivery_id]);
  return (
    <Dialog title={t.webhooks.tries} onClose={onClose}>
      <p>{rich(t.webhooks.eachHad, { id: () => <code>{delivery_id}</code> })}</p>
      <LoadedView loaded={loaded}>
        {({ log }) =>
          log.length === 0 ? (
            <p>{t.webhooks.noTries}</p>
          ) : (
            <ul class="rows" aria-label={t.webhooks.tries}>
              {log.map(({ at, status, error, duration_ms }) => (
                <li key={at} class="row">
                  <div class="row-main">
                    <span class="row-title">{status ?? t.webhooks.noAnswer}</span>
                    <span class="row-about">
                      <span>{formatDateTime(at)}</span>
                      <span>{formatDuration(duration_ms)}</span>
                      {error !== null && <span>{describeSentence(error)}</span>}
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
    </Dialog>
  );
}
