/**
 * What differs between two designs, with the words that changed. Removed words are struck through and added ones underlined, so
 * that it can be read without colours; screen readers hear where each begins and ends.
 */

import type { Design } from '../../../../protocol/index.ts';
import { t } from '../../language/designer/text.ts';
import { useCollections } from '../collection-names.ts';
import { type Change, changedParts } from './changed-parts.ts';
import { diffWords, type Piece } from './word-diff.ts';
import './difference.css';

interface DifferenceViewProps {
  readonly before: Design;
  readonly after: Design;
  /** Shown where nothing differs. */
  readonly none: string;
}

export function DifferenceView({ before, after, none }: DifferenceViewProps) {
  const parts = changedParts(before, after, useCollections().nameOf);
  if (parts.length === 0) return <p class="page-about">{none}</p>;
  return (
    <dl class="difference">
      {parts.map(({ title, changes }) => (
        <div key={title} class="difference-part">
          <dt>{title}</dt>
          {changes.map((change) => (
            <dd key={`${change.label} ${change.before} ${change.after}`}>
              {change.label !== '' && <b>{change.label}</b>}
              <Words of={change} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

function Words({ of: { before = '', after = '' } }: { readonly of: Change }) {
  const pieces = diffWords(before, after);
  return (
    <span class="difference-words">
      {pieces.map(({ text, kind }, at) => {
        if (kind === 'removed') return <Marked key={at} as="del" start={`[${t.difference.removed}: `} text={text} />;
        if (kind === 'added') return <Marked key={at} as="ins" start={`[${t.difference.added}: `} text={text} />;
        return clipped(text, pieces, at);
      })}
    </span>
  );
}

interface MarkedProps {
  readonly as: 'del' | 'ins';
  readonly start: string;
  readonly text: string;
}

function Marked({ as: Tag, start, text }: MarkedProps) {
  return (
    <Tag>
      <span class="visually-hidden">{start}</span>
      {text}
      <span class="visually-hidden">] </span>
    </Tag>
  );
}

/** How much unchanged text is left around a change; set by hand. */
const context = 160;

/** Leaves out the middle of long unchanged text. */
function clipped(text: string, pieces: readonly Piece[], at: number): string {
  const [head, tail] = [at === 0 ? 0 : context, at === pieces.length - 1 ? 0 : context];
  if (text.length <= 2 * context + 80) return text;
  return `${text.slice(0, head)} […] ${tail === 0 ? '' : text.slice(-tail)}`;
}
