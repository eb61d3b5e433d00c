/** The collections of the account: create, rename, fill and delete them. */
import { useState } from 'preact/hooks';
import type { Collection, CollectionList, IndexedSource } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeFieldError } from '../../language/describe-error.ts';
import { counted, fill } from '../../language/message.ts';
import { LoadedView } from '../loaded-view.tsx';
import { call } from '../session.ts';
import { useLoad } from '../use-load.ts';
import { sourceName } from './source-row.tsx';

type Open = { readonly kind: 'edit'; readonly of?: Collection } | { readonly kind: 'delete'; readonly of: Collection };

interface SectionProps {
  /** What they can hold. */
  readonly sources: readonly IndexedSource[];
}

export function CollectionsSection({ sources }: SectionProps) {
  const collections = useLoad(() => call<CollectionList>('GET', '/v1/collections'), [sources.length]);
  const [open, setOpen] = useState<Open>();
  const done = () => {
    setOpen(undefined);
    collections.reload();
  };
  const choices = sources.filter(({ kind }) => kind !== 'packages');
  return (
    <section class="collections" aria-labelledby="collections-title">
      <div class="collections-head">
        <h2 id="collections-title">{t.collections.title}</h2>
        <Button onClick={() => setOpen({ kind: 'edit' })}>{t.collections.new}</Button>
      </div>
      <p class="page-about">{t.collections.about}</p>
      <LoadedView loaded={collections}>
        {({ items }) =>
          items.length > 0 && (
            <ul class="rows" aria-label={t.collections.title}>
              {items.map((collection) => (
                <li key={collection.collection_id} class="row">
                  <div class="row-main">
                    <span class="row-title">{collection.name}</span>
                    <span class="row-about">
                      <span>{counted(t.collections.sources, collection.sources.length)}</span>
                    </span>
                  </div>
                  <div class="row-actions">
                    <Button
                      look="quiet"
                      aria-label={fill(t.collections.editOf, { name: collection.name })}
                      onClick={() => setOpen({ kind: 'edit', of: collection })}
                    >
                      {t.collections.edit}
                    </Button>
                    <Button
                      look="danger"
                      aria-label={fill(t.collections.deleteOf, { name: collection.name })}
                      onClick={() => setOpen({ kind: 'delete', of: collection })}
                    >
                      {t.collections.delete}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </LoadedView>
      {open?.kind === 'edit' && <EditDialog of={open.of} sources={choices} onClose={done} />}
      {open?.kind === 'delete' && <DeleteDialog of={open.of} onClose={done} />}
    </section>
  );
}

interface EditDialogProps {
  /** A new one without it. */
  readonly of: Collection | undefined;
  readonly sources: readonly IndexedSource[];
  readonly onClose: () => void;
}

function EditDialog({ of: before, sources, onClose }: EditDialogProps) {
  const [name, setName] = useState(before?.name ?? '');
  const [held, setHeld] = useState<readonly string[]>(before?.sources ?? []);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const known = sources.map(({ source_id }) => source_id).filter((id) => held.includes(id));
      if (before === undefined) await call('POST', '/v1/collections', { name, sources: known });
      else await call('PATCH', `/v1/collections/${before.collection_id}`, { name, sources: known });
      onClose();
    } catch (failure) {
      setError(describeFieldError(failure));
    }
    setBusy(false);
  };
  return (
    <Dialog
      title={before === undefined ? t.collections.new : fill(t.collections.editTitle, { name: before.name })}
      onClose={onClose}
    >
      <form class="dialog-form" onSubmit={save}>
        <Field
          label={t.common.name}
          value={name}
          error={error}
          maxLength={100}
          required
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <fieldset class="checks collection-sources">
          <legend class="field-label">{t.shell.sources}</legend>
          {sources.length === 0 && <p class="field-hint">{t.collections.first}</p>}
          {sources.map((source) => (
            <label key={source.source_id} class="check">
              <input
                type="checkbox"
                checked={held.includes(source.source_id)}
                onChange={({ currentTarget: { checked } }) =>
                  setHeld(checked ? [...held, source.source_id] : held.filter((id) => id !== source.source_id))
                }
              />
              {sourceName(source)}
            </label>
          ))}
        </fieldset>
        <div class="dialog-foot">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button look="main" type="submit" disabled={name.trim() === ''} isBusy={isBusy}>
            {t.collections.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteDialog({
  of: { collection_id, name },
  onClose,
}: {
  readonly of: Collection;
  readonly onClose: () => void;
}) {
  const remove = async () => {
    await call('DELETE', `/v1/collections/${collection_id}`);
    toast(t.collections.deleted);
    onClose();
  };
  return (
    <ConfirmDialog
      title={fill(t.collections.deleteTitle, { name })}
      action={t.collections.deleteAction}
      onConfirm={remove}
      onClose={onClose}
    >
      {t.collections.deleteText}
    </ConfirmDialog>
  );
}
