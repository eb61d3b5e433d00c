/** The account's webhook endpoints, and what was sent to them. */
import { useState } from 'preact/hooks';
import type { WebhookDeliveryList, WebhookEndpoint, WebhookEndpointList } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { formatAgo, formatDateTime, formatNumber } from '../../components/format.ts';
import { toast } from '../../components/toast.tsx';
import { Badge } from '../badge.tsx';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { PagedList } from '../paged-list.tsx';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { DeliveryRows } from './delivery-rows.tsx';
import { AddDialog, RemoveDialog, RotateDialog } from './webhook-dialogs.tsx';

type Open = { readonly kind: 'add' } | { readonly kind: 'rotate' | 'remove'; readonly endpoint: WebhookEndpoint };

const deliveriesPath = '/v1/webhook-deliveries?limit=25';

export function WebhooksPage() {
  const endpoints = useLoad(() => call<WebhookEndpointList>('GET', '/v1/webhooks'), []);
  const deliveries = useLoad(() => call<WebhookDeliveryList>('GET', deliveriesPath), []);
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
      toast((error as Error).message);
    }
    reload();
  };
  return (
    <>
      <PageHead title="Webhooks" about="URLs that are sent a signed event when a search of this account has ended.">
        <Button look="main" onClick={() => setOpen({ kind: 'add' })}>
          New webhook
        </Button>
      </PageHead>
      <LoadedView loaded={endpoints}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title="No webhooks yet">
              <p>Add the URL of a program that waits for answers.</p>
            </EmptyState>
          ) : (
            <ul class="rows" aria-label="Webhooks">
              {items.map((endpoint) => (
                <EndpointRow key={endpoint.webhook_id} of={endpoint} onOpen={setOpen} onAct={act} />
              ))}
            </ul>
          )
        }
      </LoadedView>
      <section class="part" aria-labelledby="deliveries">
        <div class="part-head">
          <h2 id="deliveries">Deliveries</h2>
          <Button look="quiet" onClick={deliveries.reload}>
            Refresh
          </Button>
        </div>
        <LoadedView loaded={deliveries}>
          {(page) =>
            page.items.length === 0 ? (
              <p class="page-about">Nothing was sent in the last 30 days.</p>
            ) : (
              <PagedList first={page} path={deliveriesPath}>
                {(items) => (
                  <DeliveryRows
                    items={items}
                    onRedeliver={(id) => act('POST', `/v1/webhook-deliveries/${id}/redeliver`, undefined, 'Sent again')}
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
          {title} {!isOn && <Badge tone="bad">disabled</Badge>}
          {dropped > 0 && <Badge tone="warn">{formatNumber(dropped)} dropped</Badge>}
        </span>
        <code class="row-code">{url}</code>
        <span class="row-about">
          <span title={formatDateTime(created_at)}>added {formatAgo(created_at)}</span>
          <span>{events.length === 0 ? 'all events' : events.join(', ')}</span>
          {disabled_reason !== null && <span>{disabled_reason}</span>}
        </span>
      </div>
      <div class="row-actions">
        {isOn && (
          <Button
            look="quiet"
            aria-label={`Test ${title}`}
            onClick={() => onAct('POST', `${path}/test`, undefined, 'A test event is on its way')}
          >
            Test
          </Button>
        )}
        <Button
          look="quiet"
          aria-label={`${isOn ? 'Disable' : 'Enable'} ${title}`}
          onClick={() => onAct('PATCH', path, { enabled: !isOn }, isOn ? 'Disabled' : 'Enabled')}
        >
          {isOn ? 'Disable' : 'Enable'}
        </Button>
        <Button
          look="quiet"
          aria-label={`New secret for ${title}`}
          onClick={() => onOpen({ kind: 'rotate', endpoint })}
        >
          New secret
        </Button>
        <Button look="danger" aria-label={`Remove ${title}`} onClick={() => onOpen({ kind: 'remove', endpoint })}>
          Remove
        </Button>
      </div>
    </li>
  );
}
