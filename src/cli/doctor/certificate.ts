/** The certificate of TLS_CERT and TLS_KEY. */
import { counted } from '../../base/text/counted.ts';
import { dayMs } from '../../base/values/day.ts';
import { expiresSoon, readCertificate } from '../../transport/tls/certificate.ts';
import { type Check, ok, problem, reasonOf, skipped, warning } from './check.ts';

const renew = 'Renew it; a running server takes the new files by itself.';

/** Whether the files can be used, and until when. */
export const checkCertificate: Check = async ({ config: { tls } }) => {
  if (tls === undefined) return skipped('TLS_CERT is not set: the server speaks plain HTTP.');
  try {
    const certificate = readCertificate(tls);
    const { expires } = certificate;
    const now = Date.now();
    const days = Math.floor((expires.getTime() - now) / dayMs);
    const said = `${tls.certFile} expires on ${expires.toISOString().slice(0, 10)}`;
    if (days < 0) return problem(`${said}, which is over.`, renew);
    return expiresSoon(certificate, now) ? warning(`${said}, in ${counted(days, 'day')}.`, renew) : ok(`${said}.`);
  } catch (error) {
    return problem(`${reasonOf(error)}.`, 'Correct the two settings or files: docs/deploy.md.');
  }
};
