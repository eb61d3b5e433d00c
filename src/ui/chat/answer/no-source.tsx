/** A sentence that the model cited and whose source does not say it: underlined with dots, and called so in words. */
import type { UncitedText } from '../../../client/client.ts';

const reasons = {
  contradicted: 'Not cited: its source says otherwise.',
  unsupported: 'Not cited: its source does not say this.',
} satisfies Record<UncitedText['reason'], string>;

export function UncitedClaim({ text }: { readonly text: string }) {
  return <span class="uncited">{text}</span>;
}

export function NoSource({ reason }: { readonly reason: UncitedText['reason'] }) {
  return (
    <span class="no-source" title={reasons[reason]}>
      no source
      <span class="visually-hidden">. {reasons[reason]}</span>
    </span>
  );
}
