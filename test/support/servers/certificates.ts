/** Self-signed certificates for 127.0.0.1, made by openssl. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

export interface TestCertificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** For `describe.skipIf`. */
export const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;

/** Writes `<name>.crt` and `<name>.key` into the folder. The certificate expires in `days`, or has expired as many ago. */
export function makeCertificate(folder: string, name: string, days = 30): TestCertificate {
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const about = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-days', '30'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...about];
  execFileSync('openssl', [...made, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' });
  // Only a certificate that is signed again may have expired already.
  const signed = ['x509', '-in', certFile, '-signkey', keyFile, '-days', `${days}`, '-out', certFile];
  if (days !== 30) execFileSync('openssl', signed, { stdio: 'ignore' });
  return { certFile, keyFile };
}
