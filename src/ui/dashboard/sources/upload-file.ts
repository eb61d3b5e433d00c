/** Uploads a file with the session of this browser, and reports how many of its bytes were sent, which `fetch` cannot. */
import { CitewireError } from '../../../client/client.ts';
import { csrfHeaders } from '../../account/browser-session.ts';

/** Rejects with CitewireError; its message can be shown. */
export function uploadFile(file: File, onSent: (bytes: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/v1/sources/files?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    for (const [name, value] of Object.entries(csrfHeaders())) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onerror = () => reject(new CitewireError('connection_failed', 'Could not reach the server.', {}));
    request.onload = () => {
      const { status } = request;
      if (status >= 200 && status < 300) return resolve();
      const answer = request.response as { error?: { code: CitewireError['code']; message: string } } | null;
      const { code = 'bad_answer', message = `The server answered ${status}.` } = answer?.error ?? {};
      reject(new CitewireError(code, message, { status }));
    };
    request.send(file);
  });
}
