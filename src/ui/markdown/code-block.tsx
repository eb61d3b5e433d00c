/**
 * A block of code with its language, a button that copies it, and colours. What is in its text, such as citation markers, stays
 * where it is. The colours are loaded with the first block that has a language, and apply to blocks of a length that takes
 * milliseconds.
 */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { copyToClipboard } from '../components/clipboard.ts';
import { t } from '../language/text.ts';

/** In the order of the text: words, or what a slot shows between them. */
export type CodePart =
  | { readonly text: string; readonly wrap: ((text: string) => ComponentChildren) | undefined }
  | { readonly node: ComponentChildren };

export interface CodeBlockProps {
  readonly parts: readonly CodePart[];
  /** As written after the fence; may be empty. */
  readonly language: string;
}

type Colours = typeof import('./code-colours.ts');

const colours = signal<Colours | undefined>(undefined);
/** UTF-16 units; longer code has no colours. Set by hand: some 20 ms. */
const maxColoured = 10_000;

export function CodeBlock({ parts, language }: CodeBlockProps) {
  const text = useMemo(() => parts.map((part) => ('text' in part ? part.text : '')).join(''), [parts]);
  const canColour = language !== '' && text.length <= maxColoured;
  useEffect(() => {
    if (canColour && colours.value === undefined) {
      // The code is readable without colours.
      void import('./code-colours.ts').then(
        (loaded) => {
          colours.value = loaded;
        },
        () => {},
      );
    }
  }, [canColour]);
  const loaded = colours.value;
  const tokens = useMemo(() => (canColour ? loaded?.coloursOf(text, language) : undefined), [text, loaded]);
  const copy = () => copyToClipboard(text, t.copy.codeCopied);
  return (
    <div class="code">
      <div class="code-head">
        <span>{loaded?.languageName(language) ?? language}</span>
        <button type="button" class="code-copy" aria-label={t.copy.code} onClick={copy}>
          {t.copy.copy}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: makes it scrollable by keyboard */}
      <pre tabIndex={0}>
        <code>{drawParts(parts, tokens ?? [])}</code>
      </pre>
    </div>
  );
}

type Token = ReturnType<Colours['coloursOf']>[number];

/** The parts, cut where the colour changes. `tokens` cover the beginning of the text; what is after them has no colour. */
function drawParts(parts: readonly CodePart[], tokens: readonly Token[]): ComponentChildren[] {
  const drawn: ComponentChildren[] = [];
  let token = 0;
  let used = 0;
  for (const part of parts) {
    if ('node' in part) {
      drawn.push(part.node);
      continue;
    }
    for (let at = 0; at < part.text.length; ) {
      const { kind, length } = tokens[token] ?? { kind: undefined, length: Number.POSITIVE_INFINITY };
      const end = Math.min(part.text.length, at + length - used);
      const text = part.text.slice(at, end);
      const shown = part.wrap === undefined ? text : part.wrap(text);
      drawn.push(kind === undefined ? shown : <span class={`code-${kind}`}>{shown}</span>);
      used += end - at;
      if (used === length) {
        token += 1;
        used = 0;
      }
      at = end;
    }
  }
  return drawn;
}
