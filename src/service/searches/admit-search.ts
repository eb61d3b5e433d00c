/**
 * The resources that a search holds while it runs: its place on the server, its image, and its unit of the account's quota.
 */
import type { SearchRequest } from '../../../protocol/index.ts';
import type { Caller } from '../../access/identity.ts';
import type { ImageReader } from '../../engine/ports/images.ts';
import type { SearchJob } from '../../engine/ports.ts';
import type { CallAccess } from '../calls.ts';

export interface Admitted {
  readonly image: SearchJob['image'];
  /** Whether it was subject to throttling because of its plan. */
  readonly throttled: boolean;
  /** Must be called when the search has ended. */
  release(): void;
  /** For a search that fails before it runs: releases all, gives the unit of the quota back, and throws the error again. */
  giveUp(error: unknown): never;
}

/**
 * Waits for a place, opens the image and takes from the quota, unless the search was counted when it first started. In this order,
 * as no more images are fetched for a key than it may have searches. Rejects with 422 for the image, with 429 or 503, or with the reason
 * of the signal; nothing is held then.
 */
export async function admitSearch(
  { access, images }: { readonly access: CallAccess; readonly images: ImageReader },
  search: {
    readonly caller: Caller;
    readonly image: SearchRequest['image'];
    /** The id of the connection that it came on. */
    readonly connection: string | undefined;
    readonly signal: AbortSignal;
    readonly isCounted: boolean;
  },
): Promise<Admitted> {
  const { caller, connection, signal } = search;
  const permit = await access.admission.admit(caller, connection === undefined ? {} : { connection }, signal);
  const image = await openImage(images, search).catch((error: unknown) => {
    permit.release();
    throw error;
  });
  const release = () => {
    if (image !== 'unavailable') image?.release();
    permit.release();
  };

  const uncount = search.isCounted
    ? await access.quotas?.take(caller).catch((error: unknown) => {
        release();
        throw error;
      })
    : undefined;
  return {
    image,
    throttled: permit.throttled,
    release,
    giveUp(error) {
      release();
      uncount?.().catch(() => {});
      throw error;
    },
  };
}

async function openImage(
  images: ImageReader,
  { caller, image, signal }: { caller: Caller; image: SearchRequest['image']; signal: AbortSignal },
): Promise<SearchJob['image']> {
  if (image === undefined) return undefined;
  return (await images.open(image, caller.account_id, signal)) ?? 'unavailable';
}
