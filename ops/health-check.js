/** For the image: exit code 0 if the server in this container answers /healthz, with the settings that the server has. */
const { PORT = '8080', TLS_CERT } = process.env;
// The certificate is for the public name, not for this address.
if (TLS_CERT) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const url = `${TLS_CERT ? 'https' : 'http'}://127.0.0.1:${PORT}/healthz`;
try {
  const { ok } = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
