/** Small documents of our own making, as LibreOffice writes them. */
import { makeZip } from './make-zip.ts';

/** A document of the kind `text`, `spreadsheet` or `presentation`, with the XML of its body; `files` replace some. */
export function makeOpenDocument(
  kind: string,
  body: string,
  { styles = '', files = {} }: { readonly styles?: string; readonly files?: Record<string, string> } = {},
): Buffer {
  return makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...files,
  });
}
