/** The attached documents above the question: the progress of each, or why it failed. */
import { IconButton } from '../../../components/button.tsx';
import { CloseIcon, DocumentIcon } from '../../../components/icons.tsx';
import { counted, fill } from '../../../language/message.ts';
import { t } from '../../../language/text.ts';
import { isAwaited } from '../send/awaited-question.ts';
import { type AttachedDocument, detach, documentAddresses, documents, isBusy, isPreparing } from './documents.ts';

interface DocumentListProps {
  /** Called after a document was removed, with the button that had the focus. */
  readonly onRemoved: () => void;
}

export function DocumentList({ onRemoved }: DocumentListProps) {
  const all = documents.value;
  if (all.length === 0) return null;
  return (
    <div class="documents">
      <ul aria-label={t.documents.label}>
        {all.map((each) => (
          <Row key={each.key} of={each} onRemoved={onRemoved} />
        ))}
      </ul>
      <p role="status" class="documents-note">
        {noteOn(all)}
      </p>
    </div>
  );
}

function noteOn(all: readonly AttachedDocument[]): string {
  if (isPreparing.value) {
    return isAwaited.value ? counted(t.documents.asksLater, all.filter(isBusy).length) : t.documents.wait;
  }
  return documentAddresses.value.length > 0 ? t.documents.only : '';
}

function Row({ of, onRemoved }: DocumentListProps & { readonly of: AttachedDocument }) {
  const { key, name, state, reason } = of;
  return (
    <li class={`document document-${state}`}>
      {isBusy(of) ? <span class="spinner" aria-hidden="true" /> : <DocumentIcon size={16} />}
      <span class="document-name">{name}</span>
      {(state !== 'ready' || reason !== undefined) && (
        <span class="document-state" role={state === 'failed' ? 'alert' : undefined}>
          {state === 'failed' || state === 'ready' ? reason : t.documents[state]}
        </span>
      )}
      <IconButton
        label={fill(t.composer.remove, { entry: name })}
        onClick={() => {
          detach(key);
          onRemoved();
        }}
      >
        <CloseIcon size={12} />
      </IconButton>
    </li>
  );
}
