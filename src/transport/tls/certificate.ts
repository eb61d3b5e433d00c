/**
 * The certificate and the key of the server, from two PEM files, checked before either server sees them: the native one
 * would only say that it could not start. The files may be replaced while the server runs, including by changing a link to
 * them.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { dayMs } from '../../base/values/day.ts';

export interface CertificateFiles {
  /** The certificate, followed by those of the authorities between it and the root. */
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Certificate extends CertificateFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** When it begins to be valid, and when it expires. */
  readonly begins: Date;
  readonly expires: Date;
}

/** How long before its expiry warnings about a certificate begin, at most; set by hand: renewal usually comes 30 days before. */
const soonMs = 14 * dayMs;

/** How often the files are looked at, ms, and how long the second of them may take to follow the first; set by hand. */
const watchMs = 2_000;
const settleMs = 500;

/** Whether it should have been renewed by now: those that live for days are renewed later than those that live for months. */
export function expiresSoon({ begins, expires }: Pick<Certificate, 'begins' | 'expires'>, now: number): boolean {
  const left = expires.getTime() - now;
  return left < Math.min(soonMs, (expires.getTime() - begins.getTime()) / 3);
}

/** Throws an Error with one sentence that names the setting when a file cannot be read, or the two do not belong together. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  const cert = read('TLS_CERT', certFile);
  const key = read('TLS_KEY', keyFile);
  const parsed = parse(
    () => new X509Certificate(cert),
    `TLS_CERT: expected a certificate in PEM; ${certFile} holds none.`,
  );
  const secret = parse(
    () => createPrivateKey(key),
    `TLS_KEY: expected a private key in PEM without a passphrase; ${keyFile} holds none.`,
  );
  if (!parsed.checkPrivateKey(secret)) {
    throw new Error(`TLS_KEY: expected the key of the certificate ${certFile}; ${keyFile} is that of another one.`);
  }
  const [begins, expires] = [new Date(parsed.validFrom), new Date(parsed.validTo)] as [Date, Date];
  return { certFile, keyFile, cert, key, begins, expires };
}

/**
 * Calls `onChange` with the new certificate once the files have changed, and `onTrouble` with an Error for the operator when what
 * they then hold cannot be used. Returns a function that ends the watch. Does not keep the process running.
 */
export function watchCertificate(
  files: CertificateFiles,
  onChange: (certificate: Certificate) => void,
  onTrouble: (error: Error) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const reload = () => {
    try {
      onChange(readCertificate(files));
    } catch (error) {
      onTrouble(error as Error);
    }
  };
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(reload, settleMs);
    timer.unref();
  };
  const paths = [files.certFile, files.keyFile];
  // By polling, because a changed link to the file is not a change of the file to the kernel.
  for (const path of paths) watchFile(path, { interval: watchMs, persistent: false }, changed);
  return () => {
    clearTimeout(timer);
    for (const path of paths) unwatchFile(path, changed);
  };
}

function read(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${setting}: expected a file that can be read; got ${path} (${(error as Error).message}).`);
  }
}

function parse<Value>(work: () => Value, otherwise: string): Value {
  try {
    return work();
  } catch {
    throw new Error(otherwise);
  }
}
