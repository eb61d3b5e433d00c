/** The models in the settings: those that write, perhaps one that plans, and perhaps a standby at another endpoint. */
import type { ModelConfig } from '../../base/settings/model-settings.ts';
import type { EnginePorts } from '../../engine/ports.ts';
import { type ModelOptions, openModel } from '../../model/open-model.ts';
import { createTrustedFetch } from '../../web/fetch/trusted-fetch.ts';
import { type UpstreamWatch, watchedFetch } from './watched-fetch.ts';

export interface OpenModels {
  readonly models: Pick<EnginePorts, 'model' | 'otherModels' | 'planner' | 'standby'>;
  /** As in `OpenModel`, for every endpoint. */
  probe(signal: AbortSignal): Promise<{ readonly model: string; readonly trouble: string | undefined }[]>;
  /** Calls that wait for a place. */
  waiting(): number;
  close(): Promise<void>;
}

/**
 * If `watch` wants to know of troubles, each endpoint is asked in the background whether it knows the key and the model. `around`
 * wraps what makes the requests.
 */
export function openModels(
  config: ModelConfig,
  watch: UpstreamWatch,
  around: (inner: typeof fetch) => typeof fetch = (inner) => inner,
): OpenModels {
  const trusted = createTrustedFetch(config.proxy);
  const optionsFor = ({ model, provider, apiKey, baseUrl }: ModelConfig | NonNullable<ModelConfig['fallback']>) =>
    ({
      models: { writer: model },
      provider,
      apiKey,
      baseUrl,
      fetchFor: (chosen) => watchedFetch(around(trusted.fetch), 'model', chosen, watch),
      timeoutMs: 1000 * config.timeoutS,
      concurrency: config.concurrency,
      temperature: config.temperature,
      seed: config.seed,
      reasoning: config.reasoning,
      context: config.context,
      watch: {
        learned: (lesson) => watch.learned?.(lesson),
        failed: (error) => watch.troubled?.(model, error.message),
      },
    }) satisfies ModelOptions;

  const { otherModels, planningModel, fallback, keepAlive, headers, body } = config;
  const main = openModel({
    ...optionsFor(config),
    models: { writer: config.model, others: otherModels, planner: planningModel },
    keepAlive,
    headers,
    body,
  });
  const standby = fallback && openModel(optionsFor(fallback));
  const opened = standby === undefined ? [main] : [main, standby];
  for (const each of watch.troubled === undefined ? [] : opened) {
    void each.check().then((found) => {
      for (const { model, trouble } of found) watch.troubled?.(model, trouble);
    });
  }
  return {
    models: { model: main.writer, otherModels: main.others, planner: main.planner, standby: standby?.writer },
    probe: async (signal) => (await Promise.all(opened.map((each) => each.probe(signal)))).flat(),
    waiting: () => opened.reduce((sum, each) => sum + each.waiting(), 0),
    close: () => trusted.close(),
  };
}
