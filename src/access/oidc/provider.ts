/**
 * The provider of OpenID Connect: what it says of itself, the URL at which people sign in there, and the exchange of the
 * code that they come back with for claims about them. `openid-client` does the protocol and checks state, nonce, issuer,
 * audience, times, and the signature by the provider's keys: here even though the token comes over TLS.
 *
 * Loaded only when OIDC_ISSUER is set. The provider is asked when somebody signs in, not at the start, so a server starts
 * and works while its provider is down.
 */
import * as client from 'openid-client';
import type { OidcConfig } from '../../base/settings/sign-in-settings.ts';
import { createSingleFlight } from '../../base/values/single-flight.ts';

/** The random values that bind an answer to the browser that began the sign-in. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** The claims of a checked ID token. */
export type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

export interface Provider {
  /** Where the browser goes to sign in. Rejects when the provider cannot be reached. */
  authorizationUrl(redirectUrl: string, checks: Checks): Promise<URL>;
  /** `answer` is the URL that the browser came back to. Rejects when anything about it or the token is wrong. */
  redeem(answer: URL, checks: Checks): Promise<Claims>;
}

/** Longest wait for one answer of the provider, s; set by hand: a person is waiting. */
const timeoutS = 10;
/** How long the provider's metadata is used, ms; set by hand: its keys are asked for separately, as they change. */
const metadataMs = 60 * 60_000;

/** New random values for one sign-in. */
export function newChecks(): Checks {
  return { state: client.randomState(), nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
}

/** The provider with this configuration; nothing is asked of it before it is needed. */
export function createProvider({ issuer, clientId, clientSecret, scopes }: OidcConfig): Provider {
  let known: { readonly metadata: client.Configuration; readonly at: number } | undefined;
  const discoverOnce = createSingleFlight(discover);

  /** Metadata that was once read is used while it cannot be read again. */
  async function metadata(): Promise<client.Configuration> {
    if (known !== undefined && performance.now() - known.at < metadataMs) return known.metadata;
    try {
      const metadata = await discoverOnce();
      known = { metadata, at: performance.now() };
      return metadata;
    } catch (error) {
      if (known === undefined) throw error;
      return known.metadata;
    }
  }

  async function discover(): Promise<client.Configuration> {
    const isPlain = new URL(issuer).protocol === 'http:';
    const execute = [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])];
    const options = { execute, timeout: timeoutS };
    return client.discovery(new URL(issuer), clientId, clientSecret, authenticate, options);
  }

  /** In the body where the provider lists that method, else in the header, which is the default of the protocol. */
  const authenticate: client.ClientAuth = (server, ...rest) => {
    const inBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    const way = inBody ? client.ClientSecretPost(clientSecret) : client.ClientSecretBasic(clientSecret);
    return way(server, ...rest);
  };

  return {
    async authorizationUrl(redirect_uri, { state, nonce, verifier }) {
      return client.buildAuthorizationUrl(await metadata(), {
        redirect_uri,
        scope: scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },

    async redeem(answer, { state, nonce, verifier }) {
      const tokens = await client.authorizationCodeGrant(await metadata(), answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return tokens.claims() as unknown as Claims;
    },
  };
}

/** Asks the provider for its metadata and keys, for `citewire doctor`. Rejects when a sign-in could not work. */
export async function checkProvider(config: OidcConfig): Promise<void> {
  const provider = createProvider(config);
  await provider.authorizationUrl('https://citewire.invalid/', newChecks());
}

/** What went wrong: `cancelled` by the person or the provider, `unavailable`, or `invalid`, when a check failed. */
export function kindOfFailure(error: unknown): 'cancelled' | 'unavailable' | 'invalid' {
  if (error instanceof client.AuthorizationResponseError) {
    return /^(server_error|temporarily_unavailable)$/.test(error.error) ? 'unavailable' : 'cancelled';
  }
  const { code, cause } = error as { code?: string; cause?: unknown };
  const status = cause instanceof Response ? cause.status : undefined;
  if (code === 'OAUTH_TIMEOUT' || (status !== undefined && status >= 500)) return 'unavailable';
  return error instanceof TypeError && code === undefined ? 'unavailable' : 'invalid';
}
