/**
 * The file in an uploaded form (RFC 7578). A file is uploaded as the body itself, but many libraries send forms, and what is around
 * the file must not be taken for a part of it.
 */
import { invalid } from '../base/errors.ts';

/** Set by hand: far more than a form with one file has. */
const maxParts = 20;
const maxHeadBytes = 16 * 1024;

/** The body, or the only file in it if `contentType` says that it is a form. Throws a 422 for a form with none, or several. */
export function fileOf(contentType: string | undefined, body: Uint8Array): Uint8Array {
  if (!/^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType ?? '')) return body;
  const files = [...filesIn(boundaryOf(contentType!), Buffer.from(body.buffer, body.byteOffset, body.byteLength))];
  if (files.length !== 1) throw noFile(`got ${files.length === 0 ? 'none' : 'several'}`);
  return files[0]!;
}

function boundaryOf(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"\r\n]{1,70})"|([^\s";]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw noFile('got no boundary');
  return boundary;
}

function* filesIn(boundary: string, body: Buffer): Generator<Buffer> {
  const delimiter = `--${boundary}`;
  let at = body.indexOf(delimiter);
  for (let part = 0; part < maxParts; part += 1) {
    const head = at === -1 ? -1 : at + delimiter.length;
    if (head === -1 || body.toString('latin1', head, head + 2) === '--') return;
    const headEnd = body.subarray(head, head + maxHeadBytes).indexOf('\r\n\r\n');
    const start = head + headEnd + 4;
    const end = body.indexOf(`\r\n${delimiter}`, start - 2);
    if (headEnd === -1 || end === -1) throw noFile('got one that is cut off');
    const headers = body.toString('latin1', head, head + headEnd);
    if (/^content-disposition:.*;\s*filename\*?\s*=/im.test(headers)) yield body.subarray(start, Math.max(start, end));
    at = end + 2;
  }
  throw noFile(`got more than ${maxParts} parts`);
}

function noFile(got: string) {
  return invalid(['body'], `expected a form with one file; ${got}`, 'value_error');
}
