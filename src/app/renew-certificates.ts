/** Certificates that are replaced while the server runs. */
import type { Log } from '../base/log.ts';
import { dayMs } from '../base/values/day.ts';
import type { Server } from '../transport/exchange.ts';
import { type Certificate, readCertificate, soonDays, watchCertificate } from '../transport/tls/certificate.ts';

export interface Renewal {
  /** Has the server use this certificate from now on, unless no client would accept it. */
  offer(certificate: Certificate): void;
  /** What keeps a certificate from being used. */
  refuse(error: Error): void;
  /** Warns if the certificate in use expires soon; offers the one in the files again, if it could not be used before. */
  check(): void;
}

/** `first` is the certificate in use, `read` reads the files, and `now` is ms since 1970. */
export function createRenewal(
  first: Certificate,
  server: Pick<Server, 'renew'>,
  log: Pick<Log, 'info' | 'warn'>,
  { read, now = () => Date.now() }: { readonly read: () => Certificate; readonly now?: () => number },
): Renewal {
  let used = first;
  let isRefused = false;

  function refuse({ message }: Error): void {
    isRefused = true;
    log.warn({ reason: message }, 'the certificate is not renewed: keeping the old one');
  }

  function offer(certificate: Certificate): void {
    try {
      checkDates(certificate, now());
      server.renew(certificate);
      used = certificate;
      isRefused = false;
      log.info({ expires: certificate.expires }, 'new connections use the new certificate');
    } catch (error) {
      refuse(error as Error);
    }
  }

  return {
    offer,
    refuse,
    check() {
      if (isRefused) {
        try {
          offer(read());
        } catch (error) {
          refuse(error as Error);
        }
      }
      const { expires, certFile: file } = used;
      const days = Math.floor((expires.getTime() - now()) / dayMs);
      if (days < 0) log.warn({ file, expires }, 'the certificate has expired: browsers refuse this server');
      else if (days < soonDays) log.warn({ file, expires, days }, 'the certificate expires soon: renew it');
    },
  };
}

/** Throws for a certificate that has expired, or is not valid yet. */
function checkDates({ begins, expires, certFile }: Certificate, now: number): void {
  const fault =
    expires.getTime() <= now
      ? `it expired on ${expires.toISOString()}`
      : begins.getTime() > now
        ? `it begins on ${begins.toISOString()}`
        : undefined;
  if (fault !== undefined)
    throw new Error(`TLS_CERT: expected a certificate that is valid now; ${certFile}: ${fault}.`);
}

/** Has the server use a new certificate when the files change, and warns each day before it expires. Returns a function that ends this. */
export function renewCertificates(certificate: Certificate, server: Server, log: Log): () => void {
  const renewal = createRenewal(certificate, server, log, { read: () => readCertificate(certificate) });
  renewal.check();
  const timer = setInterval(renewal.check, dayMs);
  timer.unref();
  const stop = watchCertificate(certificate, renewal.offer, renewal.refuse);
  return () => {
    clearInterval(timer);
    stop();
  };
}
