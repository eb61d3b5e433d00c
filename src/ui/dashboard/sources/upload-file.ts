/** Uploads a file with the session of this browser, and reports how many of its bytes were sent, which `fetch` cannot. */
import { csrfHeaders, refusalOf, sendRenewed, unreachable } from '../../account/browser-session.ts';

/** Rejects with CitewireError; its message can be shown. */
export async function uploadFile(file: File, onSent: (bytes: number) => void): Promise<void> {
  const { status, response } = await sendRenewed(() => send(file, onSent));
  if (status < 200 || status >= 300) throw refusalOf(status, response);
}

function send(file: File, onSent: (bytes: number) => void): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/v1/sources/files?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    for (const [name, value] of Object.entries(csrfHeaders())) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onerror = () => reject(unreachable());
    request.onload = () => resolve(request);
    request.send(file);
  });
}
