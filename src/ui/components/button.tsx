/** Buttons. One `main` a view; `quiet` for what stands in rows; an icon alone always has a name. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

export interface ButtonProps extends ButtonHTMLAttributes {
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger' | undefined;
  readonly children?: ComponentChildren;
}

export function Button({ look = 'plain', class: more, type = 'button', ...rest }: ButtonProps) {
  return <button {...rest} type={type} class={names('button', `button-${look}`, more)} />;
}

/** `label` is read out and shown as a hint. */
export function IconButton({ label, class: more, look = 'quiet', ...rest }: ButtonProps & { readonly label: string }) {
  return <Button {...rest} look={look} class={names('button-icon', more)} aria-label={label} title={label} />;
}

function names(...all: unknown[]): string {
  return all.filter((name) => typeof name === 'string' && name !== '').join(' ');
}
