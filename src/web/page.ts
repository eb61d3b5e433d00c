/** A page as returned to callers: the snapshot that citations point into, and how it was fetched. */

import type { Snapshot } from '../engine/ports/snapshot.ts';
import type { PageInfo } from '../engine/ports/web.ts';

export interface Page {
  readonly snapshot: Snapshot;
  /** `fetched_at` is when the page's server last sent or confirmed this text. */
  readonly info: PageInfo;
}
