/** Line icons on a 20 × 20 grid, in the colour of the surrounding text, hidden from screen readers. */
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
export const PlusIcon = icon(<path d="M10 4v12M4 10h12" />);
export const CheckIcon = icon(<path d="m4.500 10.500 3.700 3.700 7.300-8" />);
export const CrossIcon = icon(<path d="m6 6 8 8M14 6l-8 8" />);
export const DashIcon = icon(<path d="M5 10h10" />);
export const ChevronIcon = icon(<path d="m6 8 4 4 4-4" />);
export const ArrowUpIcon = icon(<path d="M10 16V4.500M5 9l5-5 5 5" stroke-width="1.900" />);
export const StopIcon = icon(<rect x="5.500" y="5.500" width="9" height="9" rx="1.500" fill="currentColor" />);
export const ImageIcon = icon(
  <>
    <rect x="2.500" y="3.500" width="15" height="13" rx="2" />
    <circle cx="7" cy="8" r="1.400" />
    <path d="m3 14.500 4-3.500 3 2.500 3.500-3.500 4 3.500" />
  </>,
);
export const SourcesIcon = icon(
  <>
    <circle cx="10" cy="10" r="7.200" />
    <path d="M2.800 10h14.400M10 2.800c2.400 2.200 3.400 4.700 3.400 7.200s-1 5-3.400 7.200c-2.400-2.200-3.400-4.700-3.400-7.200s1-5 3.400-7.200Z" />
  </>,
);
export const AttachIcon = icon(
  <path d="m16.500 9.500-6.700 6.700a4 4 0 0 1-5.700-5.700l7-7a2.700 2.700 0 0 1 3.800 3.800l-7 7a1.300 1.300 0 0 1-1.900-1.900l6.300-6.300" />,
);
export const DocumentIcon = icon(
  <path d="M11.500 2.500h-6A1.500 1.500 0 0 0 4 4v12a1.500 1.500 0 0 0 1.500 1.500h9A1.500 1.500 0 0 0 16 16V7ZM11.500 2.500V7H16M7 11h6M7 14h4" />,
);
export const DashboardIcon = icon(
  <path d="M3.500 3.500h5.500v7H3.500ZM11.500 3.500h5v4h-5ZM11.500 10h5v6.500h-5ZM3.500 13h5.500v3.500H3.500Z" />,
);
export const SignOutIcon = icon(
  <path d="M8 16.500H5A1.500 1.500 0 0 1 3.500 15V5A1.500 1.500 0 0 1 5 3.500h3M12.500 6.500 16 10l-3.500 3.500M16 10H8" />,
);
export const TranslateIcon = icon(
  <path d="M2.500 5h9M7 3v2M9.500 5c-.8 3.500-3 6-6.500 7.500M4.500 7.500c1 2 2.800 3.700 5 4.700M9 17l4-9.500L17 17M10.300 14h5.400" />,
);
export const FormatIcon = icon(
  <path d="M8 3.500H6.500A1.500 1.500 0 0 0 5 5v3c0 1-.7 2-2 2 1.300 0 2 1 2 2v3a1.500 1.500 0 0 0 1.500 1.500H8M12 3.500h1.500A1.500 1.500 0 0 1 15 5v3c0 1 .7 2 2 2-1.300 0-2 1-2 2v3a1.500 1.500 0 0 1-1.500 1.500H12" />,
);
export const MenuIcon = icon(<path d="M3 6h14M3 10h14M3 14h9" />);
export const NewIcon = icon(
  <path d="M9 3.500H5A1.500 1.500 0 0 0 3.500 5v10A1.500 1.500 0 0 0 5 16.500h10a1.500 1.500 0 0 0 1.500-1.500v-4M15.800 2.900a1.500 1.500 0 0 1 1.600 2.400L11 11.700l-2.700.6.600-2.700Z" />,
);
export const CopyIcon = icon(
  <>
    <rect x="7" y="7" width="9.500" height="9.500" rx="1.800" />
    <path d="M13 4.500A1.500 1.500 0 0 0 11.500 3H5a2 2 0 0 0-2 2v6.500A1.500 1.500 0 0 0 4.500 13" />
  </>,
);
export const OpenIcon = icon(
  <path d="M8.500 4H5a1.500 1.500 0 0 0-1.500 1.500V15A1.500 1.500 0 0 0 5 16.500h9.500A1.500 1.500 0 0 0 16 15v-3.500M11.500 3.500h5v5M16 4l-7 7" />,
);
export const MoreIcon = icon(<path d="M4.500 10h.01M10 10h.01M15.500 10h.01" stroke-width="2.600" />);
export const EditIcon = icon(
  <path d="M12.800 4.200a1.700 1.700 0 0 1 2.400 2.400L6.800 15l-3.300.900.900-3.300ZM11.500 5.500l2.400 2.400" />,
);
export const PinIcon = icon(<path d="M7 3.500h6l-.700 5 2.700 2.500v1.500H5V11l2.700-2.500ZM10 12.500v4.500" />);
export const ShareIcon = icon(
  <path d="M10 12V3M6.800 6 10 2.800 13.200 6M5.500 9H5a1.500 1.500 0 0 0-1.500 1.500v5A1.500 1.500 0 0 0 5 17h10a1.500 1.500 0 0 0 1.500-1.500v-5A1.500 1.500 0 0 0 15 9h-.500" />,
);
export const BackIcon = icon(<path d="m12 5-5 5 5 5" />);
export const ForwardIcon = icon(<path d="m8 5 5 5-5 5" />);
export const RetryIcon = icon(<path d="M4 10a6 6 0 1 1 1.800 4.300M4 15v-3.500h3.500" />);
export const FindIcon = icon(
  <>
    <circle cx="9" cy="9" r="5.500" />
    <path d="m13 13 4 4" />
  </>,
);
export const ThumbUpIcon = icon(
  <path d="M6.500 9v7.500h8a1.500 1.500 0 0 0 1.470-1.200l1-5A1.500 1.500 0 0 0 15.500 8.500H11.500l.700-3.500a1.500 1.500 0 0 0-2.800-1L6.500 9Zm0 0H3.500v7.500h3" />,
);
export const ThumbDownIcon = icon(
  <path d="M13.500 11V3.500h-8a1.500 1.500 0 0 0-1.470 1.200l-1 5A1.500 1.500 0 0 0 4.500 11.500h4l-.700 3.500a1.500 1.500 0 0 0 2.800 1l2.900-5Zm0 0h3V3.500h-3" />,
);
