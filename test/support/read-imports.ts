/**
 * What a TypeScript file imports, read from its text, because TypeScript 7 has no stable parser API. Relies on the formatter:
 * single quotes, and import and export statements at the start of a line.
 */

/** Statements are found at the start of a line, the other forms anywhere outside a comment. */
export function readImports(source: string): [specifier: string, typeOnly: boolean][] {
  const text = withoutComments(source);
  const found: [string, boolean][] = [];
  for (const [, kind, clause = '', specifier = ''] of text.matchAll(
    /^(import|export)\s+((?:type\s)?[\w\s{},*$]+?)\s*from\s*'([^']+)'/gm,
  )) {
    const names = /^\{([^}]*)\}$/
      .exec(clause.trim())?.[1]
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const typeOnly = /^type\s/.test(clause) || (names?.every((name) => name.startsWith('type ')) ?? false);
    if (kind === 'import' || clause.trim() !== '') found.push([specifier, typeOnly]);
  }
  for (const [, specifier = ''] of text.matchAll(/^import\s*'([^']+)'/gm)) found.push([specifier, false]);
  for (const [, before = '', specifier = '', after = ''] of text.matchAll(
    /(await\s+|=>\s*)?\bimport\(\s*'([^']+)'\s*\)(\.\w+)?/g,
  )) {
    found.push([specifier, before === '' && /^\.[A-Z]/.test(after)]);
  }
  for (const [, specifier = ''] of text.matchAll(/new URL\(\s*'([^']+\.ts)',\s*import\.meta\.url/g)) {
    found.push([specifier, false]);
  }
  return found;
}

/** The names imported or re-exported from each relative specifier; `*` for a whole module, as for one imported dynamically. */
export function readImportedNames(source: string): [specifier: string, name: string][] {
  const text = withoutComments(source);
  const found: [string, string][] = [];
  for (const [, clause = '', specifier = ''] of text.matchAll(
    /^(?:import|export)\s+((?:type\s)?[\w\s{},*$]+?)\s*from\s*'(\.[^']+)'/gm,
  )) {
    if (clause.includes('*')) found.push([specifier, '*']);
    for (const each of /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? []) {
      const name = /^\s*(?:type\s)?\s*(\w+)/.exec(each)?.[1];
      if (name !== undefined) found.push([specifier, name]);
    }
  }
  for (const [, specifier = ''] of text.matchAll(/\bimport\(\s*'(\.[^']+)'\s*\)(?!\.[A-Z])/g))
    found.push([specifier, '*']);
  return found;
}

/** The names of exported functions, constants and classes, without the default export. */
export function readExportedValues(source: string): string[] {
  const declared = /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class) (\w+)/gm;
  return [...withoutComments(source).matchAll(declared)].map(([, name]) => name!);
}

/** Removes comments; strings, templates and regular expressions are kept as they are. */
export function withoutComments(source: string): string {
  const pieces =
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return source.replace(pieces, (_, kept: string | undefined) => kept ?? '');
}

/** The strongly connected components that are cycles, by Tarjan's algorithm. */
export function findCycles(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const rings: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    stack.push(file);
    for (const target of next.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file)!, low.get(target)!));
    }
    if (low.get(file) !== order.get(file)) return;
    const ring = stack.splice(stack.indexOf(file));
    if (ring.length > 1 || next.get(file)?.includes(file)) rings.push(ring);
  };
  for (const file of next.keys()) if (!order.has(file)) visit(file);
  return rings;
}
