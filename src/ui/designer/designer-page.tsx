/** One design: edit, try and publish it, and compare its versions. */

import { useState } from 'preact/hooks';
import type { DesignRecord, PublishedApi } from '../../../protocol/index.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Tabs } from '../components/tabs.tsx';
import { toast } from '../components/toast.tsx';
import { LoadedView } from '../dashboard/loaded-view.tsx';
import { NotPermitted } from '../dashboard/not-permitted.tsx';
import { PageHead } from '../dashboard/page-head.tsx';
import { Link, navigate } from '../dashboard/router.tsx';
import { call, mayUse } from '../dashboard/session.ts';
import { useLoad } from '../dashboard/use-load.ts';
import { t as shared } from '../language/dashboard/text.ts';
import { t } from '../language/designer/text.ts';
import { fill, rich } from '../language/message.ts';
import { designOf, emptyDesign } from './design-form.ts';
import { Designer } from './designer.tsx';
import type { RawValues } from './input-values.ts';
import { VersionsView } from './versions/versions-view.tsx';
import './designer.css';

/** The design that was created last and the values it was tried with, which its own page goes on with. */
let created: { readonly api_id: string; readonly values: RawValues } | undefined;

export function NewDesignPage() {
  if (!mayUse('design')) {
    return (
      <>
        <Crumbs />
        <PageHead title={t.designs.create} />
        <NotPermitted />
      </>
    );
  }
  return (
    <>
      <Crumbs />
      <PageHead title={t.designs.create} />
      <Designer
        design={emptyDesign}
        record={undefined}
        onSaved={({ api_id }, values) => {
          created = { api_id, values };
          navigate(`/designs/${api_id}`, 'replace');
        }}
        onPublished={() => {}}
      />
    </>
  );
}

const tabs = { edit: t.page.edit, versions: t.page.versions } as const;

export function DesignerPage({ id }: { readonly id: string }) {
  const loaded = useLoad(() => call<DesignRecord>('GET', `/v1/design-api/${id}`), [id]);
  const [tab, setTab] = useState<keyof typeof tabs>('edit');
  const [isDeleting, setDeleting] = useState(false);
  const [restored, setRestored] = useState<DesignRecord>();
  const [listings, setListings] = useState(0);
  return (
    <>
      <Crumbs />
      <LoadedView loaded={loaded} heading={t.page.title}>
        {(record) => (
          <>
            <PageHead title={record.name} about={<About of={record} listings={listings} />}>
              <Button look="danger" onClick={() => setDeleting(true)}>
                {t.page.delete}
              </Button>
            </PageHead>
            <Tabs label={t.page.views} tabs={tabs} chosen={tab} onChoose={setTab}>
              <div class="tab-body">
                {/* Not removed on the other tab: it may have unsaved changes. */}
                <div hidden={tab !== 'edit'}>
                  <Designer
                    key={`${record.api_id} ${restored?.updated_at}`}
                    design={designOf(restored ?? record)}
                    record={record}
                    values={created?.api_id === record.api_id ? created.values : undefined}
                    onSaved={loaded.reload}
                    onPublished={loaded.reload}
                  />
                </div>
                {tab === 'versions' && (
                  <VersionsView
                    record={record}
                    onListed={() => setListings((before) => before + 1)}
                    onRestored={(draft) => {
                      setRestored(draft);
                      setTab('edit');
                      loaded.reload();
                    }}
                  />
                )}
              </div>
            </Tabs>
            {isDeleting && <DeleteDialog of={record} onClose={() => setDeleting(false)} />}
          </>
        )}
      </LoadedView>
    </>
  );
}

function Crumbs() {
  return (
    <nav class="crumbs" aria-label={shared.common.breadcrumb}>
      <Link to="/designs">{t.designs.title}</Link>
    </nav>
  );
}

interface AboutProps {
  readonly of: DesignRecord;
  /** Counts the changes of which versions are retired. */
  readonly listings: number;
}

function About({ of: { api_stub, published_version }, listings }: AboutProps) {
  // The newest version may be retired: callers then get the one before it.
  const offered = useLoad(
    async () =>
      published_version === undefined ? undefined : call<PublishedApi>('GET', `/v1/published-service/${api_stub}`),
    [api_stub, published_version, listings],
  ).data;
  if (published_version === undefined) return <code>/v1/user-defined-service/{api_stub}</code>;
  return (
    <>
      <Link to={`/apis/${api_stub}`}>
        {offered?.retired_at === undefined
          ? fill(t.page.publishedAs, { version: offered?.version ?? published_version })
          : fill(t.api.retired, { version: fill(t.versions.version, { version: offered.version }) })}
      </Link>{' '}
      · <code>/v1/published-service/{api_stub}</code>
    </>
  );
}

function DeleteDialog({ of: record, onClose }: { readonly of: DesignRecord; readonly onClose: () => void }) {
  const remove = async () => {
    await call('DELETE', `/v1/design-api/${record.api_id}`);
    toast(fill(t.page.deleted, { name: record.name }));
    navigate('/designs', 'replace');
  };
  return (
    <ConfirmDialog
      title={fill(t.page.deleteTitle, { name: record.name })}
      action={t.page.deleteAction}
      onConfirm={remove}
      onClose={onClose}
    >
      {rich(t.page.deleteAbout, { path: () => <code>/v1/user-defined-service/{record.api_stub}</code> })}
    </ConfirmDialog>
  );
}
