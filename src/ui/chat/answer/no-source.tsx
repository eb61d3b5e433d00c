/** A sentence that the model cited and whose source does not say it: underlined with dots and labelled in words. */
import type { UncitedText } from '../../../client/client.ts';
import { t } from '../../language/text.ts';

const reasons = {
  contradicted: t.answer.contradicted,
  unsupported: t.answer.unsupported,
} satisfies Record<UncitedText['reason'], string>;

export function UncitedClaim({ text }: { readonly text: string }) {
  return <span class="uncited">{text}</span>;
}

export function NoSource({ reason }: { readonly reason: UncitedText['reason'] }) {
  return (
    <span class="no-source" title={reasons[reason]}>
      {/* Not part of the word before it, for screen readers and what is copied. */}
      {` ${t.answer.noSource}`}
      <span class="visually-hidden">. {reasons[reason]}</span>
    </span>
  );
}
