/** Buttons: at most one `main` per view, `quiet` in rows. An icon without text always has a label. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

export interface ButtonProps extends ButtonHTMLAttributes {
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger' | undefined;
  readonly children?: ComponentChildren;
}

export function Button({ look = 'plain', class: more, type = 'button', ...rest }: ButtonProps) {
  return <button {...rest} type={type} class={names('button', `button-${look}`, more)} />;
}

/** `label` is the accessible name and the tooltip. */
export function IconButton({ label, class: more, look = 'quiet', ...rest }: ButtonProps & { readonly label: string }) {
  return <Button {...rest} look={look} class={names('button-icon', more)} aria-label={label} title={label} />;
}

function names(...all: unknown[]): string {
  return all.filter((name) => typeof name === 'string' && name !== '').join(' ');
}
