/** Wraps content that may be wider than the page; it scrolls on its own, by keyboard too. */
import type { ComponentChildren } from 'preact';

export function ScrollRegion({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: makes it scrollable by keyboard
    <section class="wide" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
