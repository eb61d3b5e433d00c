/**
 * Posts a webhook to a URL that an account chose, through the same guard as pages: each try connects again, and to public
 * addresses only. Redirects are not followed, and of the answer only the status and Retry-After are read.
 */
import { Agent } from 'undici';
import { parseRetryAfter } from '../../base/upstream/retry-after.ts';
import type { Posted, PostWebhook } from '../../webhooks/deliveries.ts';
import { PageError } from '../page-error.ts';
import { userAgent } from './fetch.ts';
import { isDnsError } from './fetch-errors.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { headerOf } from './response-headers.ts';

export interface WebhookPoster {
  readonly post: PostWebhook;
  /** Throws an AppError `blocked_address` for a URL that is never posted to. */
  check(url: string): void;
  close(): Promise<void>;
}

/** Larger headers are a failed try; set by hand. */
const maxHeaderBytes = 16 * 1024;

/** A poster with its own connections, none of which is kept. */
export function createWebhookPoster(options: GuardOptions): WebhookPoster {
  const guard = createGuard(options);
  // The caller's signal ends a try; these limits are longer.
  const agent = new Agent({
    connect: guard.connect,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    maxHeaderSize: maxHeaderBytes,
  });

  async function send(...[target, headers, body, signal]: Parameters<PostWebhook>): Promise<Posted> {
    const url = guard.check(target);
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: { 'user-agent': userAgent, accept: '*/*', ...headers },
      body,
      signal,
      reset: true,
    });
    // An abandoned body emits an error that nobody else handles.
    response.body.on('error', () => {});
    response.body.destroy();
    const { statusCode: status } = response;
    const retry_after_ms = parseRetryAfter(headerOf(response, 'retry-after'));
    return { status, retry_after_ms, ...(isDelivered(status) ? {} : { error: reasonOf(status) }) };
  }

  return {
    check: (url) => void guard.check(url),
    async post(...given) {
      try {
        return await send(...given);
      } catch (error) {
        return { status: undefined, error: explain(error) };
      }
    },
    close: () => agent.destroy(),
  };
}

function isDelivered(status: number): boolean {
  return status >= 200 && status < 300;
}

function reasonOf(status: number): string {
  return status >= 300 && status < 400
    ? `The receiver answered ${status}: redirects are not followed.`
    : `The receiver answered ${status}.`;
}

function explain(error: unknown): string {
  if (error instanceof PageError) return error.message;
  const { name, code = '' } = error as Error & { code?: string };
  if (name === 'TimeoutError' || /TIMEOUT|ETIMEDOUT/.test(code)) return 'The receiver did not answer in time.';
  if (isDnsError(code)) return 'The host name could not be resolved.';
  return 'The connection to the receiver failed.';
}
