/**
 * Texts in the source of a page that a reader would see: found in the syntax tree, in JSX children, in attributes that hold
 * text, and in strings anywhere that look like words of a sentence.
 */
import { transform } from 'esbuild';
import { parseAst } from 'vitest/node';

/** Attributes whose strings are shown or read out. */
const textAttributes = new Set([
  'alt',
  'aria-label',
  'action',
  'error',
  'hint',
  'label',
  'name',
  'placeholder',
  'text',
  'title',
]);
/** Attributes whose strings never are, although they may look like words. */
const codeAttributes = new Set(['class', 'rel', 'd', 'viewBox', 'type', 'role', 'id', 'href', 'key']);
/** Names of keys and the like, which code compares with. */
const names = new Set(['Enter', 'Escape', 'Tab', 'Home', 'End', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** In the order of the source. Rejects for a source that does not parse. */
export async function textLiterals(source: string): Promise<string[]> {
  const { code } = await transform(source, {
    loader: 'tsx',
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
  });
  const found: string[] = [];
  visit(parseAst(code) as unknown as Node, false, found);
  return found;
}

/** `isText` if a string here is shown, however short. */
function visit(node: Node, isText: boolean, found: string[]): void {
  const { type } = node;
  if (type.startsWith('Import') || (type.startsWith('Export') && node.source != null)) return;
  if (type === 'Literal' && typeof node.value === 'string') return take(node.value, isText, found);
  if (type === 'TemplateElement') return take((node.value as { cooked: string }).cooked, isText, found);
  if (type === 'CallExpression' && (node.callee as Node).name === 'h') {
    const [element, props, ...children] = node.arguments as Node[];
    if (element!.type !== 'Literal') visit(element!, false, found);
    for (const property of (props!.properties ?? []) as Node[]) visitAttribute(property, found);
    for (const child of children) visit(child, true, found);
    return;
  }
  if (type === 'CallExpression' && takesSelector(node.callee as Node)) return;
  if (type === 'ConditionalExpression') {
    visit(node.test as Node, false, found);
    visit(node.consequent as Node, isText, found);
    return visit(node.alternate as Node, isText, found);
  }
  const passes = type === 'LogicalExpression' || type === 'TemplateLiteral' || type === 'ParenthesizedExpression';
  for (const child of childrenOf(node)) visit(child, isText && passes, found);
}

function takesSelector({ property }: Node): boolean {
  const { name = '' } = (property ?? {}) as { readonly name?: string };
  return ['querySelector', 'querySelectorAll', 'matches', 'closest'].includes(name);
}

function visitAttribute(property: Node, found: string[]): void {
  if (property.type !== 'Property') return visit(property, false, found);
  const key = property.key as { readonly name?: string; readonly value?: string };
  const name = key.name ?? key.value ?? '';
  const value = property.value as Node;
  if (codeAttributes.has(name)) return;
  visit(value, textAttributes.has(name), found);
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === 'string');
}

function take(text: string, isText: boolean, found: string[]): void {
  const looksLikeWords = /^\p{Lu}\p{Ll}|\p{L}{2,}[,.:;]? \p{L}{2,}/u.test(text) && !names.has(text);
  if (isText ? /\p{L}/u.test(text) : looksLikeWords) found.push(text);
}
