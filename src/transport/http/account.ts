/**
 * The calls of signed-in browsers, only for pages of this server: sessions, keys, and the account's usage; and those of
 * administrators.
 */
import { routes } from '../../../protocol/index.ts';
import { signInUrl } from '../../access/browser/sessions.ts';
import type { NextStep } from '../../access/oidc/oidc.ts';
import type { AccountService, SessionCall } from '../../service/account.ts';
import type { BaseUrl } from './base-url.ts';
import { type Context, defaultHeaders } from './context.ts';
import { browserRequestOf } from './credentials.ts';
import type { RouteHandlers } from './router.ts';

/** The handlers of the account's routes. */
export function accountHandlers(account: AccountService, baseUrl: BaseUrl) {
  const { administration } = account;
  return {
    async sign_in(ctx) {
      const { session, cookie } = await account.signIn({ ...sessionCall(ctx), body: ctx.call.body });
      ctx.header('set-cookie', cookie);
      ctx.json(200, session);
    },
    sign_in_options: (ctx) => ctx.json(200, account.signInOptions()),
    async sign_in_at_provider(ctx) {
      const callbackUrl = baseUrl(ctx.request) + routes.finish_at_provider.path;
      const { return_to: returnTo } = ctx.query();
      redirect(ctx, await account.signInAtProvider({ ...sessionCall(ctx), callbackUrl, returnTo }));
    },
    async finish_at_provider(ctx) {
      const { path, query } = ctx.request;
      const answer = `${baseUrl(ctx.request)}${path}?${query}`;
      redirect(ctx, await account.finishAtProvider({ ...sessionCall(ctx), answer }));
    },
    async sign_out(ctx) {
      const { cookie } = await account.signOut(sessionCall(ctx));
      ctx.header('set-cookie', cookie);
      ctx.json(200, { status: 'signed_out' });
    },
    read_session: async (ctx) => ctx.json(200, await account.session(sessionCall(ctx))),
    list_keys: async (ctx) => ctx.json(200, await account.keys(ctx.call)),
    create_key: async (ctx) => ctx.json(201, await account.createKey(ctx.call)),
    rename_key: async (ctx, { key_id }) => ctx.json(200, await account.renameKey(ctx.call, key_id)),
    revoke_key: async (ctx, { key_id }) => ctx.json(200, await account.revokeKey(ctx.call, key_id)),
    list_refusals: async (ctx) => ctx.json(200, await account.refusals(ctx.call, ctx.query())),
    list_accounts: async (ctx) => ctx.json(200, await administration.list(ctx.call, ctx.query())),
    create_account: async (ctx) => ctx.json(201, await administration.create(ctx.call)),
    change_account: async (ctx, { account_id }) => ctx.json(200, await administration.change(ctx.call, account_id)),
    list_suspects: async (ctx) => ctx.json(200, await administration.suspects(ctx.call)),
    list_invitations: async (ctx) => ctx.json(200, await administration.invitations(ctx.call)),
    async create_invitation(ctx) {
      const { link, ...invitation } = await administration.invite(ctx.call);
      ctx.json(201, { ...invitation, url: signInUrl(baseUrl(ctx.request), link) });
    },
    revoke_invitation: async (ctx, { invitation_id }) =>
      ctx.json(200, await administration.revokeInvitation(ctx.call, invitation_id)),
    account_usage: async (ctx) => ctx.json(200, await account.usage(ctx.call, ctx.query())),
  } satisfies Partial<RouteHandlers>;
}

/** Redirects to the next step of a sign-in, or to the page that says why there is none. */
function redirect(ctx: Context, step: NextStep): void {
  if ('cookie' in step) ctx.header('set-cookie', step.cookie);
  const location = 'to' in step ? step.to : `/dashboard/sign-in?problem=${step.problem}`;
  ctx.send(303, { ...defaultHeaders, 'referrer-policy': 'no-referrer', location }, '');
}

function sessionCall({ request }: Context): SessionCall {
  return { browser: browserRequestOf(request), address: request.address };
}
