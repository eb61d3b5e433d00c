/** The calls of signed-in browsers, for pages of this server alone: sessions, keys, and what the account has used. */
import type { AccountService } from '../../service/account.ts';
import type { Exchange } from '../exchange.ts';
import { browserRequestOf, callOf } from './call.ts';
import { readJson } from './read-json.ts';
import { replyJson } from './reply.ts';

type Handle = (exchange: Exchange, headers: Record<string, string>, params: Record<string, string>) => Promise<void>;

export function accountHandles(account: AccountService) {
  const signInCall = (exchange: Exchange) => ({ browser: browserRequestOf(exchange), address: exchange.address });
  const withBody = <Call>(exchange: Exchange, call: Call) => ({ ...call, body: () => readJson(exchange) });

  return {
    async sign_in(exchange, headers) {
      const { session, cookie } = await account.signIn(withBody(exchange, signInCall(exchange)));
      replyJson(exchange, 200, session, { ...headers, 'set-cookie': cookie });
    },
    async read_session(exchange, headers) {
      replyJson(exchange, 200, await account.session(signInCall(exchange)), headers);
    },
    async sign_out(exchange, headers) {
      const { cookie } = await account.signOut(signInCall(exchange));
      replyJson(exchange, 200, { status: 'signed_out' }, { ...headers, 'set-cookie': cookie });
    },
    async list_keys(exchange, headers) {
      replyJson(exchange, 200, await account.keys(callOf(exchange, headers)), headers);
    },
    async create_key(exchange, headers) {
      replyJson(exchange, 201, await account.createKey(withBody(exchange, callOf(exchange, headers))), headers);
    },
    async rename_key(exchange, headers, { key_id = '' }) {
      const call = withBody(exchange, callOf(exchange, headers));
      replyJson(exchange, 200, await account.renameKey(call, key_id), headers);
    },
    async revoke_key(exchange, headers, { key_id = '' }) {
      replyJson(exchange, 200, await account.revokeKey(callOf(exchange, headers), key_id), headers);
    },
    async account_usage(exchange, headers) {
      const query = Object.fromEntries(new URLSearchParams(exchange.query));
      replyJson(exchange, 200, await account.usage(callOf(exchange, headers), query), headers);
    },
  } satisfies Record<string, Handle>;
}
