/** Resources: stored pages, the caller's designs, and the server's own documentation. All are text. */
import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Backend } from './backend.ts';
import { listDocuments, readDocument } from './documentation.ts';
import { parseUri, uriOf } from './resource-uris.ts';

/** Snapshots cannot be listed: there are as many as pages were read. Their ids come with answers. */
export const resourceTemplates: readonly ResourceTemplateType[] = [
  {
    name: 'snapshot',
    title: 'A page as it was read',
    uriTemplate: 'citewire://snapshots/{snapshot}',
    description: 'The quote of a citation is text.slice(source_start, source_end), in UTF-16 code units.',
    mimeType: 'text/markdown',
  },
];

/** The documentation, and the newest designs of a caller who may design. */
export async function listResources(backend: Backend, signal: AbortSignal): Promise<Resource[]> {
  const documents = (await listDocuments()).map((path) => ({
    uri: uriOf({ kind: 'docs', name: path }),
    name: path,
    title: `Documentation of Citewire: ${path}`,
    mimeType: 'text/markdown',
  }));
  if (!backend.scopes.has('design')) return documents;
  const designs = await backend.designs(signal);
  return [
    ...documents,
    ...designs.map(({ api_id, api_stub, name, description }) => ({
      uri: uriOf({ kind: 'designs', name: api_id }),
      name: api_stub,
      title: name,
      ...(description === undefined ? {} : { description }),
      mimeType: 'application/json',
    })),
  ];
}

/** Undefined for an unknown address. Rejects with an AppError for a snapshot or a design that does not exist. */
export async function readResource(
  backend: Backend,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult | undefined> {
  const resource = parseUri(uri);
  if (resource === undefined) return undefined;
  const { kind, name } = resource;
  if (kind === 'snapshots') return textOf(uri, 'text/markdown', (await backend.snapshot(name, signal)).response);
  if (kind === 'designs') return textOf(uri, 'application/json', await backend.design(name, signal));
  const text = await readDocument(name);
  return text === undefined ? undefined : textOf(uri, 'text/markdown', text);
}

function textOf(uri: string, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }] };
}
