/** The upload in progress as a bar, and the files that were refused. */
import { formatBytes } from '../../components/format.ts';
import { t } from '../../language/dashboard/text.ts';
import { fill } from '../../language/message.ts';
import type { Upload, Uploads } from './use-uploads.ts';

export function UploadState({ of: { current, refused } }: { readonly of: Uploads }) {
  return (
    <>
      {current !== undefined && <UploadProgress of={current} />}
      {refused.length > 0 && (
        <div class="notice notice-bad" role="alert">
          <ul>
            {refused.map(({ name, reason }) => (
              <li key={name}>
                <strong>{name}</strong>: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function UploadProgress({ of: { name, left, sent, total } }: { readonly of: Upload }) {
  return (
    <div class="upload">
      <p role="status">
        {left > 1 ? fill(t.sources.uploadingMore, { name, more: left - 1 }) : fill(t.sources.uploading, { name })}
      </p>
      <progress class="source-progress" max={Math.max(total, 1)} value={sent} aria-label={t.sources.progress} />
      <span class="page-about">{fill(t.sources.sent, { sent: formatBytes(sent), total: formatBytes(total) })}</span>
    </div>
  );
}
