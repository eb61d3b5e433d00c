/**
 * What searches of this account find in the server's own index: its files, pages and sitemaps, and what the server has for
 * everybody. Files are uploaded by a button or dropped anywhere on the page.
 */
import { useRef, useState } from 'preact/hooks';
import type { IndexedSource, IndexedSourceList } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { acceptedDocuments, FileInput } from '../../components/files/file-input.tsx';
import { useDrop } from '../../components/files/use-drop.ts';
import { formatBytes } from '../../components/format.ts';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/dashboard/text.ts';
import { describeError } from '../../language/describe-error.ts';
import { fill } from '../../language/message.ts';
import { EmptyState } from '../empty-state.tsx';
import { LoadedView } from '../loaded-view.tsx';
import { PageHead } from '../page-head.tsx';
import { call } from '../session.ts';
import { useLoad, useReload } from '../use-load.ts';
import { AddDialog } from './add-dialog.tsx';
import { CollectionsSection } from './collections-section.tsx';
import './sources.css';
import { SourceRow, sourceName } from './source-row.tsx';
import { UploadState } from './upload-state.tsx';
import { useUploads } from './use-uploads.ts';
import { VectorsState } from './vectors-state.tsx';

type Open = { readonly kind: 'add' } | { readonly kind: 'remove'; readonly source: IndexedSource };

/** The pause until the list is read again while something is being indexed, ms; set by hand. */
const refreshMs = 1_000;
/** The same while passages get their vectors, which may take hours; set by hand. */
const vectorsMs = 5_000;
export function SourcesPage() {
  const sources = useLoad(() => call<IndexedSourceList>('GET', '/v1/sources'), []);
  const [open, setOpen] = useState<Open>();
  const picker = useRef<HTMLInputElement>(null);
  const items = sources.data?.items ?? [];
  const isBusy = items.some(({ state }) => state === 'waiting' || state === 'indexing');
  const { vectors } = sources.data ?? {};
  const isFilling = vectors !== undefined && vectors.reason === undefined && vectors.done < vectors.total;
  useReload(sources, isBusy ? refreshMs : isFilling ? vectorsMs : undefined);

  const uploads = useUploads(sources.reload);
  const isDropping = useDrop(uploads.upload);
  const indexAgain = async ({ source_id }: IndexedSource) => {
    try {
      await call('POST', `/v1/sources/${source_id}/index`);
    } catch (error) {
      toast(describeError(error));
    }
    sources.reload();
  };
  const done = () => {
    setOpen(undefined);
    sources.reload();
  };

  return (
    <>
      <PageHead title={t.shell.sources} about={t.sources.about}>
        <Button onClick={() => setOpen({ kind: 'add' })}>
          {sources.data?.may_add_folders ? t.sources.addAny : t.sources.addUrl}
        </Button>
        <Button look="main" onClick={() => picker.current?.click()}>
          {t.sources.upload}
        </Button>
      </PageHead>
      <FileInput
        element={picker}
        accept={acceptedDocuments}
        label={t.sources.chooser}
        multiple
        onFiles={uploads.upload}
      />
      <p class={isDropping ? 'drop-hint drop-hint-on' : 'drop-hint'}>
        {isDropping ? t.sources.drop : t.sources.dropHint}
      </p>
      <UploadState of={uploads} />
      <LoadedView loaded={sources}>
        {({ items, stored_bytes, max_bytes, max_sources, may_share }) =>
          items.length === 0 ? (
            <EmptyState title={t.sources.none}>
              <p>{t.sources.noneText}</p>
            </EmptyState>
          ) : (
            <>
              <ul class="rows" aria-label={t.shell.sources}>
                {items.map((source) => (
                  <SourceRow
                    key={source.source_id}
                    of={source}
                    mayChange={!source.shared || may_share}
                    onIndex={() => indexAgain(source)}
                    onRemove={() => setOpen({ kind: 'remove', source })}
                  />
                ))}
              </ul>
              <p class="page-about">
                {fill(t.sources.space, {
                  used: formatBytes(stored_bytes),
                  max: formatBytes(max_bytes),
                  count: max_sources,
                })}
              </p>
            </>
          )
        }
      </LoadedView>
      {sources.data?.vectors !== undefined && <VectorsState of={sources.data.vectors} />}
      {sources.data !== undefined && <CollectionsSection sources={items} />}
      {open?.kind === 'add' && <AddDialog mayAddFolders={sources.data?.may_add_folders ?? false} onClose={done} />}
      {open?.kind === 'remove' && <RemoveDialog of={open.source} onClose={done} />}
    </>
  );
}

function RemoveDialog({ of: source, onClose }: { readonly of: IndexedSource; readonly onClose: () => void }) {
  const remove = async () => {
    await call('DELETE', `/v1/sources/${source.source_id}`);
    toast(t.sources.removed);
    onClose();
  };
  return (
    <ConfirmDialog title={t.sources.removeTitle} action={t.sources.removeAction} onConfirm={remove} onClose={onClose}>
      {fill(t.sources.removeText, { name: sourceName(source) })}
    </ConfirmDialog>
  );
}
