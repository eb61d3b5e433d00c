/** A server of tests beside a web with one page, which it may read: `/quay`, about a crane. */
import { startTestApp, type TestApp } from '../start-app.ts';
import { article, startWebServer, type WebServer } from './web-server.ts';

export interface QuayApp {
  readonly app: TestApp;
  readonly web: WebServer;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startQuayApp(): Promise<QuayApp> {
  const web = await startWebServer({
    '/quay': article(
      'Heron Quay',
      'Heron Quay was built in 1871.',
      'Its crane lifts forty tonnes, and was turned by hand.',
    ),
  });
  const app = await startTestApp({ FETCH_ALLOW_HOSTS: web.host });
  return {
    app,
    web,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await web.close();
    },
  };
}
