/** The versions of a design in a list, each with what can be done with it: it becomes the draft again, or is retired. */

import { useState } from 'preact/hooks';
import type { DesignRecord, DesignVersions, VersionListing } from '../../../../protocol/index.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatAgo, formatDateTime } from '../../components/format.ts';
import { toast } from '../../components/toast.tsx';
import { Badge } from '../../dashboard/badge.tsx';
import { hasUnsavedChanges } from '../../dashboard/router.tsx';
import { call } from '../../dashboard/session.ts';
import { describeError } from '../../language/describe-error.ts';
import { t } from '../../language/designer/text.ts';
import { fill, rich } from '../../language/message.ts';
import { designOf } from '../design-form.ts';
import { changedParts } from '../difference/changed-parts.ts';

type Version = DesignVersions['items'][number];

interface VersionRowsProps {
  readonly record: DesignRecord;
  readonly versions: readonly Version[];
  readonly onRestored: (record: DesignRecord) => void;
  /** Called once a version is retired, or offered again. */
  readonly onListed: () => void;
}

export function VersionRows({ record, versions, onRestored, onListed }: VersionRowsProps) {
  const [restoring, setRestoring] = useState<Version>();
  const [retiring, setRetiring] = useState<Version>();
  const isDraft = ({ design }: Version) => !hasUnsavedChanges.value && hasContent(record, design);

  async function restore({ api_stub, version }: Version): Promise<void> {
    const body = { version, api_stub };
    onRestored(await call<DesignRecord>('POST', `/v1/design-api/${record.api_id}/restore`, body));
    toast(fill(t.versions.restored, { version }));
  }

  async function setRetired({ api_stub, version }: Version, retired: boolean): Promise<void> {
    await call<VersionListing>('PATCH', `/v1/published-service/${api_stub}/v${version}`, { retired });
    setRetiring(undefined);
    toast(fill(retired ? t.versions.retiredNow : t.versions.offered, { version }));
    onListed();
  }

  /** What the draft has is in a version, so that nothing is lost. */
  const isKept = versions.some(isDraft);
  const failed = (error: Error) => toast(describeError(error));
  return (
    <>
      <ul class="rows" aria-label={t.page.versions}>
        {versions.map((each) => (
          <li key={`${each.api_stub}/${each.version}`} class="row">
            <div class="row-main">
              <span class="row-title">
                {fill(t.versions.version, { version: each.version })}{' '}
                {each.retired_at !== undefined && <Badge>{t.versions.retired}</Badge>}{' '}
                {isDraft(each) && <Badge tone="accent">{t.versions.sameAsDraft}</Badge>}
              </span>
              <About of={each} record={record} />
            </div>
            <div class="row-actions">
              {!isDraft(each) && (
                <Button
                  look="quiet"
                  aria-label={fill(t.versions.restoreOf, { version: each.version })}
                  onClick={() => (isKept ? void restore(each).catch(failed) : setRestoring(each))}
                >
                  {t.versions.restore}
                </Button>
              )}
              {each.retired_at === undefined ? (
                <Button
                  look="quiet"
                  aria-label={fill(t.versions.retireOf, { version: each.version })}
                  onClick={() => setRetiring(each)}
                >
                  {t.versions.retire}
                </Button>
              ) : (
                <Button
                  look="quiet"
                  aria-label={fill(t.versions.offerOf, { version: each.version })}
                  onClick={() => void setRetired(each, false).catch(failed)}
                >
                  {t.versions.offer}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {restoring !== undefined && (
        <ConfirmDialog
          title={fill(t.versions.restoreTitle, { version: restoring.version })}
          action={t.versions.restoreAction}
          onConfirm={() => restore(restoring)}
          onClose={() => setRestoring(undefined)}
        >
          {t.versions.restoreAbout}
        </ConfirmDialog>
      )}
      {retiring !== undefined && (
        <ConfirmDialog
          title={fill(t.versions.retireTitle, { version: retiring.version })}
          action={t.versions.retireAction}
          onConfirm={() => setRetired(retiring, true)}
          onClose={() => setRetiring(undefined)}
        >
          {nextText(retiring, versions)} {rich(t.versions.retireCalls, { path: () => <CallPath of={retiring} /> })}
        </ConfirmDialog>
      )}
    </>
  );
}

function About({ of: version, record }: { readonly of: Version; readonly record: DesignRecord }) {
  const { api_stub, published_at, content_hash, retired_at } = version;
  return (
    <span class="row-about">
      {api_stub !== record.api_stub && <code>{api_stub}</code>}
      <span title={formatDateTime(published_at)}>
        {fill(t.versions.publishedAgo, { ago: formatAgo(published_at) })}
      </span>
      {retired_at !== undefined && (
        <span title={formatDateTime(retired_at)}>{fill(t.versions.retiredAgo, { ago: formatAgo(retired_at) })}</span>
      )}
      <code title={t.versions.hash}>{content_hash.slice(0, 12)}</code>
    </span>
  );
}

function CallPath({ of: { api_stub, version } }: { readonly of: Version }) {
  return (
    <code>
      {api_stub}/v{version}
    </code>
  );
}

/** Whether restoring this version would change nothing. */
function hasContent(record: DesignRecord, version: Version['design']): boolean {
  return changedParts(designOf(record), { ...version, api_stub: record.api_stub }).length === 0;
}

/** What then happens with calls that name no version. */
function nextText({ api_stub, version }: Version, versions: readonly Version[]): string {
  const offered = versions.filter((each) => each.api_stub === api_stub && each.retired_at === undefined);
  const [newest, second] = offered.map((each) => each.version);
  if (newest !== undefined && version !== newest) return fill(t.versions.retireStays, { next: newest });
  if (second === undefined) return t.versions.retireEnds;
  return fill(t.versions.retireMoves, { next: second });
}
