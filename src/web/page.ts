/** A page as a caller gets it: the snapshot that citations point into, and what is known of how it came. */

import type { Snapshot } from '../engine/ports/snapshot.ts';
import type { PageInfo } from '../engine/ports/web.ts';

export interface Page {
  readonly snapshot: Snapshot;
  /** `fetched_at` is when the page's server last gave or confirmed this text. */
  readonly info: PageInfo;
}
