/** Names for the ids of keys. */
import type { ApiKeyList } from '../../../../protocol/index.ts';
import { t } from '../../language/dashboard/text.ts';

/** The name of a key, or its id while the keys are not loaded and after it was deleted; what browsers do is counted under one id. */
export function keyName(keys: ApiKeyList | undefined, id: string): string {
  return id === 'browser' ? t.common.browsers : (keys?.items.find(({ key_id }) => key_id === id)?.name ?? id);
}
