/** As much of an OpenAPI 3.1 document as the page shows. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

interface Content {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export type Contents = Readonly<Record<string, Content>>;

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Contents }>>;
}

export interface OpenApi {
  readonly info: { readonly version: string; readonly description?: string };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, Omit<Operation, 'id' | 'method' | 'path'> & { readonly operationId: string }>>
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** All calls, in the order of the document. */
export function operationsOf(paths: OpenApi['paths']): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** Calls whose paths begin alike, such as those of `/v1/sources`, in lists of their own. */
export function byArea(operations: readonly Operation[]): Operation[][] {
  const areas = new Map<string, Operation[]>();
  for (const operation of operations) {
    const area = /^(?:\/v1)?\/[^/]+/.exec(operation.path)?.[0] ?? operation.path;
    const known = areas.get(area);
    if (known === undefined) areas.set(area, [operation]);
    else known.push(operation);
  }
  return [...areas.values()];
}

/** The name of the component that a reference leads to. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
