/** Certificates that are replaced while the server runs. */
import type { Log } from '../base/log.ts';
import type { Server } from '../transport/exchange.ts';
import { type CertificateFiles, watchCertificate } from '../transport/tls/certificate.ts';

/** Has the server use a new certificate when the files change. Returns a function that ends this. */
export function renewCertificates(files: CertificateFiles, server: Server, log: Log): () => void {
  const keep = (error: Error) =>
    log.warn({ reason: error.message }, 'the certificate is not renewed: keeping the old one');
  return watchCertificate(
    files,
    (certificate) => {
      try {
        server.renew(certificate);
        log.info({ expires: certificate.expires }, 'new connections use the new certificate');
      } catch (error) {
        keep(error as Error);
      }
    },
    keep,
  );
}
