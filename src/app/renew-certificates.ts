/** Certificates that are replaced while the server runs. */
import type { Log } from '../base/log.ts';
import { dayMs } from '../base/values/day.ts';
import type { Server } from '../transport/exchange.ts';
import { type Certificate, expiresSoon, readCertificate, watchCertificate } from '../transport/tls/certificate.ts';

export interface Renewal {
  /** Has the server use this certificate from now on, unless no client would accept it. */
  offer(certificate: Certificate): void;
  /** What keeps a certificate from being used. */
  refuse(error: Error): void;
  /** Warns if the certificate in use expires soon; offers the one in the files again, if it could not be used before. */
  check(): void;
  /** Ends what is waited for. */
  close(): void;
}

/** How far the clock of an authority may be ahead. Set by hand. */
const toleranceMs = 5 * 60_000;
/** How often the files are tried again once the certificate in use has expired. Set by hand. */
const retryMs = 60_000;

/** `first` is the certificate in use, `read` reads the files, and `now` is ms since 1970. */
export function createRenewal(
  first: Certificate,
  server: Pick<Server, 'renew'>,
  log: Pick<Log, 'info' | 'warn'>,
  { read, now = () => Date.now() }: { readonly read: () => Certificate; readonly now?: () => number },
): Renewal {
  let used = first;
  /** Why the certificate in the files is not used. */
  let refused: string | undefined;
  let retry: NodeJS.Timeout | undefined;

  /** Says each reason once, since it is tried again each minute. */
  function refuse({ message }: Error, begins?: Date): void {
    if (message !== refused) log.warn({ reason: message }, 'the certificate is not renewed: keeping the old one');
    refused = message;
    retryAt(begins);
  }

  /** Tries again when the refused certificate begins, and each minute once the one in use has expired; at the latest with the daily check. */
  function retryAt(begins: Date | undefined): void {
    clearTimeout(retry);
    const expiry = Math.max(used.expires.getTime() - now(), 0) + retryMs;
    const beginning = begins === undefined ? expiry : Math.max(begins.getTime() - now(), retryMs);
    const wait = Math.min(expiry, beginning);
    if (wait >= dayMs) return;
    retry = setTimeout(offerAgain, wait);
    retry.unref();
  }

  function offerAgain(): void {
    try {
      offer(read());
    } catch (error) {
      refuse(error as Error);
    }
  }

  function offer(certificate: Certificate): void {
    try {
      checkDates(certificate, now());
      server.renew(certificate);
      used = certificate;
      refused = undefined;
      clearTimeout(retry);
      log.info({ expires: certificate.expires }, 'new connections use the new certificate');
    } catch (error) {
      refuse(error as Error, certificate.begins);
    }
  }

  return {
    offer,
    refuse,
    check() {
      if (refused !== undefined) {
        // Once a day, it is said again.
        refused = '';
        offerAgain();
      }
      const { expires, certFile: file } = used;
      const days = Math.floor((expires.getTime() - now()) / dayMs);
      if (days < 0) log.warn({ file, expires }, 'the certificate has expired: browsers refuse this server');
      else if (expiresSoon(used, now())) log.warn({ file, expires, days }, 'the certificate expires soon: renew it');
    },
    close: () => clearTimeout(retry),
  };
}

/** Throws for a certificate that has expired, or is not valid yet. */
function checkDates({ begins, expires, certFile }: Certificate, now: number): void {
  const fault =
    expires.getTime() <= now
      ? `it expired on ${expires.toISOString()}`
      : begins.getTime() > now + toleranceMs
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
    renewal.close();
  };
}
