/** The calls of signed-in browsers, only for pages of this server: sessions, keys, and the account's usage. */
import type { AccountService, SessionCall } from '../../service/account.ts';
import type { Context } from './context.ts';
import { browserRequestOf } from './credentials.ts';
import type { RouteHandlers } from './router.ts';

/** The handlers of the account's routes. */
export function accountHandlers(account: AccountService) {
  return {
    async sign_in(ctx) {
      const { session, cookie } = await account.signIn({ ...sessionCall(ctx), body: ctx.call.body });
      ctx.header('set-cookie', cookie);
      ctx.json(200, session);
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
    account_usage: async (ctx) => ctx.json(200, await account.usage(ctx.call, ctx.query())),
  } satisfies Partial<RouteHandlers>;
}

function sessionCall({ request }: Context): SessionCall {
  return { browser: browserRequestOf(request), address: request.address };
}
