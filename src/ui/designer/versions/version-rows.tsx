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
    toast(`Version ${version} is the draft again`);
  }

  async function setRetired({ api_stub, version }: Version, retired: boolean): Promise<void> {
    await call<VersionListing>('PATCH', `/v1/published-service/${api_stub}/v${version}`, { retired });
    setRetiring(undefined);
    toast(retired ? `Version ${version} retired` : `Version ${version} is offered again`);
    onListed();
  }

  /** What the draft has is in a version, so that nothing is lost. */
  const isKept = versions.some(isDraft);
  const failed = (error: Error) => toast(error.message);
  return (
    <>
      <ul class="rows" aria-label="Versions">
        {versions.map((each) => (
          <li key={`${each.api_stub}/${each.version}`} class="row">
            <div class="row-main">
              <span class="row-title">
                Version {each.version} {each.retired_at !== undefined && <Badge>retired</Badge>}{' '}
                {isDraft(each) && <Badge tone="accent">same as the draft</Badge>}
              </span>
              <About of={each} record={record} />
            </div>
            <div class="row-actions">
              {!isDraft(each) && (
                <Button
                  look="quiet"
                  aria-label={`Restore version ${each.version} into the draft`}
                  onClick={() => (isKept ? void restore(each).catch(failed) : setRestoring(each))}
                >
                  Restore
                </Button>
              )}
              {each.retired_at === undefined ? (
                <Button look="quiet" aria-label={`Retire version ${each.version}`} onClick={() => setRetiring(each)}>
                  Retire
                </Button>
              ) : (
                <Button
                  look="quiet"
                  aria-label={`Offer again: version ${each.version}`}
                  onClick={() => void setRetired(each, false).catch(failed)}
                >
                  Offer again
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {restoring !== undefined && (
        <ConfirmDialog
          title={`Replace the draft with version ${restoring.version}?`}
          action="Replace draft"
          onConfirm={() => restore(restoring)}
          onClose={() => setRestoring(undefined)}
        >
          The draft has changes that were never published. They will be lost.
        </ConfirmDialog>
      )}
      {retiring !== undefined && (
        <ConfirmDialog
          title={`Retire version ${retiring.version}?`}
          action="Retire version"
          onConfirm={() => setRetired(retiring, true)}
          onClose={() => setRetiring(undefined)}
        >
          It is no longer listed, and {nextText(retiring, versions)} Calls to{' '}
          <code>
            {retiring.api_stub}/v{retiring.version}
          </code>{' '}
          still work. You can offer it again at any time.
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
      <span title={formatDateTime(published_at)}>published {formatAgo(published_at)}</span>
      {retired_at !== undefined && <span title={formatDateTime(retired_at)}>retired {formatAgo(retired_at)}</span>}
      <code title="SHA-256 of the published design">{content_hash.slice(0, 12)}</code>
    </span>
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
  if (version !== newest) return `calls without a version still run version ${newest}.`;
  if (second === undefined) return 'calls without a version fail, because no version is left.';
  return `calls without a version run version ${second}.`;
}
