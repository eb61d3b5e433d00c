/** The account's webhook endpoints, and what was sent to them. */
import { useState } from 'preact/hooks';
import type { WebhookDeliveryList, WebhookEndpoint, WebhookEndpointList } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { formatAgo, formatDateTime, formatList } from '../../components/format.ts';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeError } from '../../language/describe-error.ts';
import { fill } from '../../language/message.ts';
import { describeSentence } from '../../language/server-text.ts';
import { Badge } from '../badge.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { PagedList } from '../paged-list.tsx';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { DeliveryRows } from './delivery-rows.tsx';
import { eventName } from './event-names.ts';
import { useNewestDeliveries, withNewest } from './use-newest-deliveries.ts';
import { AddDialog, RemoveDialog, RotateDialog } from './webhook-dialogs.tsx';

type Open = { readonly kind: 'add' } | { readonly kind: 'rotate' | 'remove'; readonly endpoint: WebhookEndpoint };

const deliveriesPath = '/v1/webhook-deliveries?limit=25';

export function WebhooksPage() {
  const endpoints = useLoad(() => call<WebhookEndpointList>('GET', '/v1/webhooks'), []);
  const deliveries = useLoad(() => call<WebhookDeliveryList>('GET', deliveriesPath), []);
  const newest = useNewestDeliveries(deliveriesPath, deliveries.data);
  const [open, setOpen] = useState<Open>();
  const reload = () => {
    endpoints.reload();
    deliveries.reload();
  };
  const done = () => {
    setOpen(undefined);
    reload();
  };
  const act = async (method: string, path: string, body: object | undefined, said: string) => {
    try {
      await call(method, path, body);
      toast(said);
    } catch (error) {
      toast(describeError(error));
    }
    reload();
  };
  return (
    <>
      <PageHead title={t.shell.webhooks} about={t.webhooks.about}>
        <Button look="main" onClick={() => setOpen({ kind: 'add' })}>
          {t.webhooks.new}
        </Button>
      </PageHead>
      <LoadedView loaded={endpoints}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={t.webhooks.none}>
              <p>{t.webhooks.noneText}</p>
            </EmptyState>
          ) : (
            <ul class="rows" aria-label={t.shell.webhooks}>
              {items.map((endpoint) => (
                <EndpointRow key={endpoint.webhook_id} of={endpoint} onOpen={setOpen} onAct={act} />
              ))}
            </ul>
          )
        }
      </LoadedView>
      <section class="part" aria-labelledby="deliveries">
        <div class="part-head">
          <h2 id="deliveries">{t.webhooks.deliveries}</h2>
          <Button look="quiet" onClick={deliveries.reload}>
            {t.webhooks.refresh}
          </Button>
        </div>
        <LoadedView loaded={deliveries}>
          {(page) =>
            page.items.length === 0 ? (
              <p class="page-about">{t.webhooks.nothingSent}</p>
            ) : (
              <PagedList first={page} path={deliveriesPath}>
                {(items) => (
                  <DeliveryRows
                    items={withNewest(items, newest)}
                    onRedeliver={(id) =>
                      act('POST', `/v1/webhook-deliveries/${id}/redeliver`, undefined, t.webhooks.sentAgain)
                    }
                  />
                )}
              </PagedList>
            )
          }
        </LoadedView>
      </section>
      {open?.kind === 'add' && <AddDialog onClose={done} />}
      {open?.kind === 'rotate' && <RotateDialog of={open.endpoint} onClose={done} />}
      {open?.kind === 'remove' && <RemoveDialog of={open.endpoint} onClose={done} />}
    </>
  );
}

interface RowProps {
  readonly of: WebhookEndpoint;
  readonly onOpen: (open: Open) => void;
  readonly onAct: (method: string, path: string, body: object | undefined, said: string) => Promise<void>;
}

function EndpointRow({ of: endpoint, onOpen, onAct }: RowProps) {
  const { webhook_id, url, name, events, created_at, disabled_at, disabled_reason, dropped } = endpoint;
  const path = `/v1/webhooks/${webhook_id}`;
  const title = name === '' ? url : name;
  const isOn = disabled_at === null;
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {title} {!isOn && <Badge tone="bad">{t.webhooks.isDisabled}</Badge>}
          {dropped > 0 && <Badge tone="warn">{fill(t.webhooks.dropped, { count: dropped })}</Badge>}
        </span>
        {name !== '' && <code class="row-code">{url}</code>}
        <span class="row-about">
          <span title={formatDateTime(created_at)}>{fill(t.webhooks.added, { when: formatAgo(created_at) })}</span>
          <span>{events.length === 0 ? t.webhooks.allEvents : formatList(events.map(eventName))}</span>
          {disabled_reason !== null && <span>{describeSentence(disabled_reason)}</span>}
        </span>
      </div>
      <div class="row-actions">
        {isOn && (
          <Button
            look="quiet"
            aria-label={fill(t.webhooks.testOf, { name: title })}
            onClick={() => onAct('POST', `${path}/test`, undefined, t.webhooks.testSent)}
          >
            {t.webhooks.test}
          </Button>
        )}
        <Button
          look="quiet"
          aria-label={fill(isOn ? t.webhooks.disableOf : t.webhooks.enableOf, { name: title })}
          onClick={() => onAct('PATCH', path, { enabled: !isOn }, isOn ? t.webhooks.disabled : t.webhooks.enabled)}
        >
          {isOn ? t.webhooks.disable : t.webhooks.enable}
        </Button>
        <Button
          look="quiet"
          aria-label={fill(t.webhooks.newSecretOf, { name: title })}
          onClick={() => onOpen({ kind: 'rotate', endpoint })}
        >
          {t.webhooks.newSecret}
        </Button>
        <Button
          look="danger"
          aria-label={fill(t.common.removeOf, { name: title })}
          onClick={() => onOpen({ kind: 'remove', endpoint })}
        >
          {t.common.remove}
        </Button>
      </div>
    </li>
  );
}
