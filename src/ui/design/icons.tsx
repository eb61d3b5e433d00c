/** Icons: lines on a grid of 20, in the colour of the text beside them, silent for who hears the page. */
import type { ComponentChildren } from 'preact';

function icon(children: ComponentChildren) {
  return ({ size = 18 }: { readonly size?: number }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const BrandIcon = icon(
  <>
    <path d="M7 4H4v12h3M13 4h3v12h-3" stroke-width="2.200" />
    <path d="M8 10h4" stroke-width="2.200" />
  </>,
);
export const CloseIcon = icon(<path d="m5 5 10 10M15 5 5 15" />);
export const SunIcon = icon(
  <>
    <circle cx="10" cy="10" r="3.200" />
    <path d="M10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M4.300 15.700l1.100-1.100M14.600 5.400l1.100-1.100" />
  </>,
);
export const MoonIcon = icon(<path d="M16.500 11.800A7 7 0 0 1 8.200 3.500a7 7 0 1 0 8.300 8.300Z" />);
export const SystemIcon = icon(
  <>
    <rect x="2.500" y="3.500" width="15" height="10" rx="1.500" />
    <path d="M7 17h6" />
  </>,
);
