/** The provider of OIDC_ISSUER. */
import { type Check, ok, problem, reasonOf, skipped, warning } from './check.ts';

/** Providers at which anybody can make an account. */
const openToAll = /^(?:accounts\.google\.com|login\.microsoftonline\.com|gitlab\.com|appleid\.apple\.com)$/;

/** Whether it answers with a usable configuration. Only a sign-in shows whether it knows the client. */
export const checkOidc: Check = async ({ config: { oidc, publicUrl } }) => {
  if (oidc === undefined) return skipped('OIDC_ISSUER is not set: people sign in with links and keys.');
  const { checkProvider } = await import('../../access/oidc/provider.ts');
  try {
    await checkProvider(oidc);
  } catch (error) {
    const { cause } = error as Error;
    const why = cause instanceof Error ? `${reasonOf(error)} (${reasonOf(cause)})` : reasonOf(error);
    return problem(`${oidc.issuer} cannot be used: ${why}.`, 'Start the provider, or correct OIDC_ISSUER.');
  }
  const said = `${oidc.issuer} answers`;
  if (openToAll.test(new URL(oidc.issuer).host) && oidc.allowedDomains.length === 0 && oidc.plan !== 'none') {
    return warning(`${said}; anyone can create an account there and sign in.`, 'Set OIDC_ALLOWED_DOMAINS.');
  }
  if (publicUrl !== undefined) return ok(`${said}.`);
  return warning(`${said}, but PUBLIC_URL is not set.`, 'Set it to the origin that the provider redirects back to.');
};
