/** The addresses of resources: `citewire://snapshots/<id>`, `citewire://designs/<api_id>`, `citewire://docs/<path>`. */

const kinds = ['snapshots', 'designs', 'docs'] as const;

export interface ResourceName {
  readonly kind: (typeof kinds)[number];
  /** A snapshot id, an api_id, or the path of a document. */
  readonly name: string;
}

/** The address of a snapshot. */
export function snapshotUri(id: string): string {
  return uriOf({ kind: 'snapshots', name: id });
}

/** The address of a resource. The slashes of a path stay. */
export function uriOf({ kind, name }: ResourceName): string {
  return `citewire://${kind}/${name.split('/').map(encodeURIComponent).join('/')}`;
}

/** Undefined for an address of any other form. */
export function parseUri(uri: string): ResourceName | undefined {
  const [, kind, name = ''] = /^citewire:\/\/(\w+)\/([\w%.~/-]{1,512})$/.exec(uri) ?? [];
  const known = kinds.find((each) => each === kind);
  try {
    return known === undefined ? undefined : { kind: known, name: decodeURIComponent(name) };
  } catch {
    return undefined;
  }
}
