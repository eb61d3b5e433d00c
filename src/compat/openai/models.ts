/**
 * The models that clients choose from: `citewire` with the effort of a search, `citewire/<model>` where the settings name several
 * language models, and `api/<stub>` for each published API that the key may run.
 */
import type { Model, ModelList, SearchRequest } from '../../../protocol/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Call } from '../../service/calls.ts';
import type { Service } from '../../service/service.ts';
import type { Doors } from '../../transport/http/door.ts';
import { unixTime } from '../unix-time.ts';

/** The efforts by their model; undefined leaves the choice to the rest of the request. */
const efforts: Readonly<Record<string, SearchRequest['effort'] | undefined>> = {
  citewire: undefined,
  'citewire-fast': 'fast',
  'citewire-deep': 'deep',
};
/** Those of Perplexity, which its clients name: they are taken, and not listed. */
const effortsOfPerplexity: Readonly<Record<string, SearchRequest['effort'] | undefined>> = {
  sonar: undefined,
  'sonar-pro': undefined,
  'sonar-reasoning': undefined,
  'sonar-reasoning-pro': undefined,
  'sonar-deep-research': 'deep',
};
const apiPrefix = 'api/';
const modelPrefix = 'citewire/';
/** 2026-01-01, in seconds: clients sort by it, and nothing else depends on it. */
const created = 1_767_225_600;

/** What a model stands for: options of a search, or the API to run. */
export type ModelChoice =
  | { readonly options: Partial<Pick<SearchRequest, 'effort' | 'model'>> }
  | { readonly api_stub: string };

/**
 * Throws `not_found`, as OpenAI does, for a name that is not a model. `models` are the language models of the settings,
 * checked here because the error of the search would list them without their prefix.
 */
export function chooseModel(model: string, models: readonly string[]): ModelChoice {
  if (model.startsWith(apiPrefix)) return { api_stub: model.slice(apiPrefix.length) };
  const named = model.startsWith(modelPrefix) ? model.slice(modelPrefix.length) : undefined;
  if (named !== undefined && models.includes(named)) return { options: { model: named } };
  const known = [efforts, effortsOfPerplexity].find((each) => Object.hasOwn(each, model));
  if (known !== undefined) {
    const effort = known[model];
    return { options: effort === undefined ? {} : { effort } };
  }
  const listed = [...Object.keys(efforts), ...models.map((name) => modelPrefix + name)].join(', ');
  const got = JSON.stringify(model.slice(0, 100));
  throw new AppError('not_found', `Expected the model ${listed} or ${apiPrefix}<stub>; got ${got}.`);
}

/** The handlers of the routes of models. */
export function modelHandlers(service: Service) {
  const model = (id: string, owned_by: string, at: number): Model => ({ id, object: 'model', created: at, owned_by });

  async function list(call: Call): Promise<Model[]> {
    const apis = await service.designs.runnable(call);
    const named = service.models.length > 2 ? service.models : [];
    return [
      ...Object.keys(efforts).map((id) => model(id, 'citewire', created)),
      ...named.map((name) => model(modelPrefix + name, 'citewire', created)),
      ...apis.map(({ api_stub, owner, published_at }) => model(apiPrefix + api_stub, owner, unixTime(published_at))),
    ];
  }

  return {
    async list_models(ctx) {
      ctx.json(200, { object: 'list', data: await list(ctx.call) } satisfies ModelList);
    },
    async read_model(ctx, { model: name }) {
      const listed = (await list(ctx.call)).find(({ id }) => id === name);
      if (listed !== undefined) return ctx.json(200, listed);
      // Not all that a request may name are listed.
      const isTaken =
        Object.hasOwn(effortsOfPerplexity, name) || service.models.some((each) => modelPrefix + each === name);
      if (!isTaken) throw new AppError('not_found', `There is no model ${JSON.stringify(name.slice(0, 100))}.`);
      ctx.json(200, model(name, 'citewire', created));
    },
  } satisfies Partial<Doors['handlers']>;
}
