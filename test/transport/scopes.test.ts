/** What a key restricted to scopes may and may not do, call by call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Route, routes, type TextResult } from '../../protocol/index.ts';
import { type Scope, scopeNames } from '../../src/access/scopes.ts';
import { connect } from '../support/clients/ws-client.ts';
import { createDesign } from '../support/design.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

type Keyed = {
  [Name in keyof typeof routes]: (typeof routes)[Name]['key'] extends true ? Name : never;
}[keyof typeof routes];

/** `any`: every key may; `admin`: none of these may. */
const needs: Record<Keyed, Scope | 'any' | 'admin'> = {
  list_accounts: 'admin',
  create_account: 'admin',
  change_account: 'admin',
  list_suspects: 'admin',
  list_invitations: 'admin',
  create_invitation: 'admin',
  revoke_invitation: 'admin',
  search: 'search',
  search_socket: 'any',
  list_searches: 'search',
  read_search: 'any',
  read_events: 'any',
  cancel_search: 'any',
  remove_search: 'any',
  contents: 'search',
  read_snapshot: 'any',
  give_feedback: 'search',
  list_feedback: 'search',
  list_threads: 'search',
  read_thread: 'search',
  change_thread: 'search',
  remove_thread: 'search',
  share_thread: 'search',
  unshare_thread: 'search',
  issue_ticket: 'any',
  suggestions: 'search',
  follow_ups: 'search',
  capabilities: 'search',
  usage: 'any',
  list_webhooks: 'webhooks',
  create_webhook: 'webhooks',
  change_webhook: 'webhooks',
  remove_webhook: 'webhooks',
  rotate_webhook: 'webhooks',
  test_webhook: 'webhooks',
  list_deliveries: 'webhooks',
  read_delivery: 'webhooks',
  redeliver: 'webhooks',
  list_sources: 'search',
  watch_sources: 'search',
  read_source: 'search',
  add_source: 'sources',
  upload_source: 'sources',
  reindex_source: 'sources',
  remove_source: 'sources',
  list_collections: 'search',
  read_collection: 'search',
  create_collection: 'sources',
  change_collection: 'sources',
  delete_collection: 'sources',
  list_schedules: 'run',
  create_schedule: 'run',
  read_schedule: 'run',
  change_schedule: 'run',
  remove_schedule: 'run',
  run_draft: 'run',
  run_newest: 'run',
  run_version: 'run',
  list_designs: 'design',
  create_design: 'design',
  read_design: 'design',
  change_design: 'design',
  restore_version: 'design',
  retire_version: 'design',
  delete_design: 'design',
  publish_design: 'design',
  list_versions: 'design',
  browse_published: 'any',
  read_published: 'any',
  describe_published: 'any',
  chat_completions: 'search',
  create_response: 'search',
  read_response: 'any',
  cancel_response: 'any',
  delete_response: 'any',
  start_chat: 'search',
  resume_chat: 'any',
  stop_chat: 'any',
  tavily_search: 'search',
  tavily_extract: 'search',
  tavily_crawl: 'search',
  tavily_map: 'search',
  tavily_research: 'search',
  tavily_read_research: 'any',
  exa_search: 'search',
  exa_contents: 'search',
  exa_answer: 'search',
  perplexity_chat: 'search',
  perplexity_create_async: 'search',
  perplexity_read_async: 'any',
  perplexity_search: 'search',
  parallel_create_run: 'search',
  parallel_read_run: 'any',
  parallel_run_result: 'any',
  parallel_run_events: 'any',
  parallel_search: 'search',
  parallel_extract: 'search',
  webui_search: 'search',
  webui_load: 'search',
  searxng_search: 'search',
  searxng_search_form: 'search',
  list_models: 'any',
  read_model: 'any',
  mcp: 'any',
};

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
/** Calls whose body says which scope they need. */
const bodies: Record<string, object> = {
  [routes.search.path]: question,
  [routes.create_response.path]: { model: 'citewire', input: question.prompt },
  [routes.start_chat.path]: { id: 'c', message: { role: 'user', parts: [{ type: 'text', text: question.prompt }] } },
  [routes.tavily_search.path]: { query: question.prompt },
  [routes.tavily_research.path]: { input: question.prompt },
  [routes.exa_search.path]: { query: question.prompt },
  [routes.exa_answer.path]: { query: question.prompt },
  [routes.perplexity_chat.path]: { model: 'sonar', messages: [{ role: 'user', content: question.prompt }] },
  [routes.perplexity_create_async.path]: {
    request: { model: 'sonar', messages: [{ role: 'user', content: question.prompt }] },
  },
  [routes.perplexity_search.path]: { query: question.prompt },
  [routes.parallel_create_run.path]: { input: question.prompt },
  [routes.parallel_search.path]: { objective: question.prompt },
  [routes.webui_search.path]: { query: question.prompt },
  [routes.chat_completions.path]: { model: 'citewire', messages: [{ role: 'user', content: question.prompt }] },
};

/** Calls whose query does. */
const queries: Record<string, string> = {
  [routes.searxng_search.path]: `?q=${encodeURIComponent(question.prompt)}`,
};

describe('a key restricted to scopes', () => {
  let app: TestApp;
  const keys = new Map<Scope, string>();
  beforeAll(async () => {
    app = await startTestApp();
    for (const scope of scopeNames) {
      const { plaintext } = await app.accounts.createKey({ name: scope, plan: 'pro', scopes: [scope] });
      keys.set(scope, plaintext);
    }
  });
  afterAll(() => app[Symbol.asyncDispose]());

  async function statusOf({ method, path }: Route, scope: Scope): Promise<number> {
    const called = path.replace(/\{version\}/, '1').replace(/\{\w+\}/g, 'nothing') + (queries[path] ?? '');
    const response = await fetch(app.url + called, {
      method,
      headers: { 'x-api-key': keys.get(scope)!, 'content-type': 'application/json' },
      ...(method === 'GET' || path in queries ? {} : { body: JSON.stringify(bodies[path] ?? {}) }),
    });
    // One of them is a stream without an end.
    await response.body?.cancel();
    return response.status;
  }

  it.each(scopeNames)('refuses a restricted key exactly the calls outside its scope: %s', async (scope) => {
    const refused: string[] = [];
    for (const name of Object.keys(needs) as Keyed[])
      if ((await statusOf(routes[name], scope)) === 403) refused.push(name);
    const others = Object.entries(needs).filter(([, needed]) => needed !== 'any' && needed !== scope);
    expect(refused.sort()).toEqual(others.map(([name]) => name).sort());
  });

  const call = (key: string, method: string, path: string, body?: object) =>
    fetch(app.url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  /** What any key may do with a search that it may see. */
  const callsOf = (search_id: string) =>
    [
      ['GET', `/v1/search/${search_id}`],
      ['GET', `/v1/search/${search_id}/events`],
      ['GET', `/v1/responses/resp_${search_id}`],
      ['DELETE', `/v1/search/${search_id}`],
      ['DELETE', `/v1/search/${search_id}/record`],
    ] as const;

  it.each(['run', 'webhooks', 'design', 'sources'] as const)(
    'hides the searches of its account from a key restricted to %s, which neither ends nor removes them',
    async (scope) => {
      const { key, plaintext } = await app.accounts.createKey({ name: 'all', plan: 'pro' });
      const restricted = await app.accounts.createKey({ name: scope, account: key.account_id, scopes: [scope] });
      const { search_id } = (await (await call(plaintext, 'POST', '/v1/search', question)).json()) as TextResult;
      for (const [method, path] of callsOf(search_id))
        expect([method, path, (await call(restricted.plaintext, method, path)).status]).toEqual([method, path, 404]);
      expect((await call(plaintext, 'GET', `/v1/search/${search_id}`)).status).toBe(200);
    },
  );

  it('lets a key restricted to runs read and remove what it ran itself, and no other such key', async () => {
    const { key, plaintext } = await app.accounts.createKey({ name: 'all', plan: 'pro' });
    const [runner, other] = await Promise.all(
      ['runner', 'other'].map((name) => app.accounts.createKey({ name, account: key.account_id, scopes: ['run'] })),
    );
    const { api_stub } = await createDesign(app, {}, { 'x-api-key': plaintext });
    const inputs = { building: 'Heron Point Lighthouse' };
    const ran = await call(runner!.plaintext, 'POST', `/v1/user-defined-service/${api_stub}`, inputs);
    expect(ran.status).toBe(200);
    const path = `/v1/search/${ran.headers.get('x-search-id')}`;
    const read = async ({ plaintext: each }: { plaintext: string }) => (await call(each, 'GET', path)).status;
    expect([await read({ plaintext }), await read(runner!), await read(other!)]).toEqual([200, 200, 404]);
    expect((await call(runner!.plaintext, 'DELETE', `${path}/record`)).status).toBe(200);
    expect(await read({ plaintext })).toBe(404);
  });

  it('refuses a search over a WebSocket to a key restricted to runs', async () => {
    const socket = await connect(app.url, { 'x-api-key': keys.get('run')! });
    socket.send({ type: 'search.start', ref: '1', request: question });
    const frame = await socket.next((each) => each.type === 'error');
    expect(frame).toMatchObject({
      error: { code: 'forbidden', message: expect.stringContaining('restricted to run') },
    });
    socket.close();
  });
});
