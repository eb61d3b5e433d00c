/** The real app with what it researches with: a model and a web, both on loopback. */
import { startTestApp, type TestApp } from '../start-app.ts';
import { type ModelServer, type Script, startModelServer } from './model-server.ts';
import { startWebServer, type WebServer } from './web-server.ts';

export interface ResearchApp extends AsyncDisposable {
  readonly app: TestApp;
  readonly model: ModelServer;
  readonly web: WebServer;
}

/** `pages` are the bodies of the web by path; `env` are further settings of the app. */
export async function startResearchApp(
  options: {
    readonly pages?: Readonly<Record<string, string>>;
    readonly script?: Script;
    readonly env?: Record<string, string>;
    /** Hosts besides the web's that may be fetched from, or sent to. */
    readonly hosts?: readonly string[];
  } = {},
): Promise<ResearchApp> {
  const [model, web] = await Promise.all([startModelServer(options.script), startWebServer(options.pages)]);
  const app = await startTestApp({
    MODEL: 'scripted',
    OPENAI_BASE_URL: model.url,
    SEARXNG_URL: web.url,
    FETCH_ALLOW_HOSTS: [web.host, ...(options.hosts ?? [])].join(','),
    ...options.env,
  });
  return {
    app,
    model,
    web,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await Promise.all([model.close(), web.close()]);
    },
  };
}
