/** Buttons: at most one `main` per view, `quiet` in rows. An icon without text always has a label. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

export interface ButtonProps extends ButtonHTMLAttributes {
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger' | undefined;
  /** While what it does is being done, a press does nothing; unlike a disabled button, it keeps the focus. */
  readonly isBusy?: boolean | undefined;
  readonly children?: ComponentChildren;
}

export function Button({ look = 'plain', isBusy = false, class: more, type = 'button', ...rest }: ButtonProps) {
  const busy = isBusy ? ({ 'aria-disabled': true, 'aria-busy': true, onClick: ignore } as const) : {};
  return <button {...rest} {...busy} type={type} class={names('button', `button-${look}`, more)} />;
}

/** `label` is the accessible name and the tooltip. */
export function IconButton({ label, class: more, look = 'quiet', ...rest }: ButtonProps & { readonly label: string }) {
  return <Button {...rest} look={look} class={names('button-icon', more)} aria-label={label} title={label} />;
}

/** Enter in a field presses the button that submits its form, too. */
function ignore(event: Event): void {
  event.preventDefault();
}

function names(...all: unknown[]): string {
  return all.filter((name) => typeof name === 'string' && name !== '').join(' ');
}
