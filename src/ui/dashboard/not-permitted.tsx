/** In the place of a form that the server would refuse: what the key that the session began with may do. */
import { fill } from '../language/message.ts';
import { t as server } from '../language/server/text.ts';
import { t } from '../language/text.ts';
import { session } from './session.ts';

export function NotPermitted() {
  const { scopes = [] } = session.value?.key ?? {};
  return (
    <div class="notice notice-bad" role="alert">
      <p class="notice-title">{t.failures.forbidden}</p>
      <p>{fill(server.refused.scope, { scopes: scopes.map((scope) => server.scopes[scope]).join('; ') })}</p>
    </div>
  );
}
