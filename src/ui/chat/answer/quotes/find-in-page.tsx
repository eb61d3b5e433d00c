/** Finds words in the text of a source page, from one match to the next, by Enter and Shift+Enter too. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { IconButton } from '../../../components/button.tsx';
import { isComposing } from '../../../components/composing.ts';
import { BackIcon, CloseIcon, ForwardIcon } from '../../../components/icons.tsx';
import { fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';
import type { Span } from './quoted-page.tsx';

interface FindInPageProps {
  readonly text: string;
  /** Called with the match to show; undefined if there is none. */
  readonly onFound: (match: Span | undefined) => void;
  readonly onClose: () => void;
}

/** Set by hand: nobody goes through more. */
const maxMatches = 1_000;

export function FindInPage({ text, onFound, onClose }: FindInPageProps) {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const matches = useMemo(() => matchesOf(text, words), [text, words]);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => onFound(matches[at]), [matches, at]);
  const go = (by: number) => matches.length > 0 && setAt((at + by + matches.length) % matches.length);
  return (
    <search class="reader-find">
      <input
        ref={field}
        class="input"
        type="search"
        aria-label={t.reader.find}
        placeholder={t.reader.find}
        maxLength={200}
        value={words}
        onInput={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === 'Escape') {
            event.stopPropagation();
            onClose();
          }
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
        }}
      />
      <span class="reader-find-count" role="status">
        {words.trim() === ''
          ? ''
          : matches.length === 0
            ? t.reader.notFound
            : fill(t.reader.place, { at: at + 1, of: matches.length })}
      </span>
      <IconButton label={t.reader.previousMatch} disabled={matches.length < 2} onClick={() => go(-1)}>
        <BackIcon size={16} />
      </IconButton>
      <IconButton label={t.reader.nextMatch} disabled={matches.length < 2} onClick={() => go(1)}>
        <ForwardIcon size={16} />
      </IconButton>
      <IconButton label={t.reader.closeFind} onClick={onClose}>
        <CloseIcon size={16} />
      </IconButton>
    </search>
  );
}

/** Where the words are, whatever their case and the white space between them. */
function matchesOf(text: string, words: string): Span[] {
  const parts = words.trim().split(/\s+/);
  if (parts[0] === '') return [];
  const pattern = new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s{1,20}'), 'giu');
  const found: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    if (found.length === maxMatches) break;
  }
  return found;
}
