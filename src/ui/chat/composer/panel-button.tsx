/** A button that opens and closes a panel above the question. */
import type { ComponentChildren } from 'preact';
import { t } from '../../language/text.ts';

interface PanelButtonProps {
  readonly name: string;
  readonly isOpen: boolean;
  /** Whether the panel has settings that will be sent with the question. */
  readonly isSet: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

export function PanelButton({ name, isOpen, isSet, onClick, children }: PanelButtonProps) {
  return (
    <button
      type="button"
      class={isSet ? 'button button-quiet composer-panel-button is-set' : 'button button-quiet composer-panel-button'}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {children}
      <span>{name}</span>
      {isSet && <span class="visually-hidden">{t.composer.isSet}</span>}
    </button>
  );
}
