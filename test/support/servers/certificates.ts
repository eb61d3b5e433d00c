/** Self-signed certificates for 127.0.0.1, made by openssl. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

export interface TestCertificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** For `describe.skipIf`. */
export const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;

/** Writes `<name>.crt` and `<name>.key` into the folder. */
export function makeCertificate(folder: string, name: string): TestCertificate {
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const about = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-days', '30'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...about];
  execFileSync('openssl', [...made, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' });
  return { certFile, keyFile };
}
