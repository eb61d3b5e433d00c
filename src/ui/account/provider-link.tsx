/** A link to sign in through the operator's provider, if there is one. It returns to this page. */
import { useEffect, useState } from 'preact/hooks';
import type { SignInOptions } from '../../../protocol/index.ts';
import { requestJson } from './browser-session.ts';

/** The name of the provider; undefined where there is none, or until it is known. */
export function useProvider(): string | undefined {
  const [name, setName] = useState<string>();
  useEffect(() => {
    // Without an answer the other ways to sign in are still there.
    const asked = requestJson<SignInOptions>('GET', '/v1/sign-in').catch(() => undefined);
    void asked.then((options) => setName(options?.provider?.name));
  }, []);
  return name;
}

interface ProviderLinkProps {
  readonly label: string;
  /** The path to return to; by default this page. */
  readonly returnTo?: string;
}

export function ProviderLink({ label, returnTo }: ProviderLinkProps) {
  const path = returnTo ?? location.pathname + location.search + location.hash;
  return (
    <a class="button button-main" href={`/v1/sign-in/provider?return_to=${encodeURIComponent(path)}`}>
      {label}
    </a>
  );
}
