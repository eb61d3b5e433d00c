/** What the events that webhooks are sent are called on the page; programs know them by their types. */
import type { WebhookEventType } from '../../../../protocol/index.ts';
import { t } from '../../language/dashboard/text.ts';

const names: { readonly [type: string]: string } = t.webhookEvents;

/** A type that this page does not know yet stays as it is. */
export function eventName(type: WebhookEventType): string {
  return names[type] ?? type;
}
