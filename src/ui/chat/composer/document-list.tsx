/** The attached documents above the question: the progress of each, or why it failed. */
import { IconButton } from '../../components/button.tsx';
import { CloseIcon, DocumentIcon } from '../../components/icons.tsx';
import { fill } from '../../language/message.ts';
import { t } from '../../language/text.ts';
import { type AttachedDocument, detach, documentAddresses, documents, isPreparing } from './documents.ts';

export function DocumentList() {
  const all = documents.value;
  if (all.length === 0) return null;
  const areAsked = documentAddresses.value.length > 0 && !isPreparing.value;
  return (
    <div class="documents">
      <ul aria-label={t.documents.label}>
        {all.map((each) => (
          <Row key={each.key} of={each} />
        ))}
      </ul>
      <p role="status" class="documents-note">
        {areAsked ? t.documents.only : isPreparing.value ? t.documents.wait : ''}
      </p>
    </div>
  );
}

function Row({ of: { key, name, state, reason } }: { readonly of: AttachedDocument }) {
  const isBusy = state === 'uploading' || state === 'indexing';
  return (
    <li class={`document document-${state}`}>
      {isBusy ? <span class="spinner" aria-hidden="true" /> : <DocumentIcon size={16} />}
      <span class="document-name">{name}</span>
      {state !== 'ready' && (
        <span class="document-state" role={state === 'failed' ? 'alert' : undefined}>
          {state === 'failed' ? reason : t.documents[state]}
        </span>
      )}
      <IconButton label={fill(t.composer.remove, { entry: name })} onClick={() => detach(key)}>
        <CloseIcon size={12} />
      </IconButton>
    </li>
  );
}
