/**
 * A forced call of one function. A search calls no tools, but many clients ask for a structured answer in this way: the parameters of
 * the function are its template, and the answer is the call, with the values as its arguments.
 */
import { preview } from '../../../protocol/preview.ts';
import { templateIssues } from '../../../protocol/template-issues.ts';
import { invalid, invalidAt } from '../../base/errors.ts';
import { isObject } from '../../base/values/is-object.ts';
import { readFormat, type Shape } from '../json-schema.ts';
import { refused } from './unsupported.ts';

type Body = Readonly<Record<string, unknown>>;

/** The one function that an answer must be the call of. */
export interface ForcedFunction {
  readonly name: string;
  /** A JSON Schema, which is not checked yet. */
  readonly parameters: unknown;
  readonly strict: boolean | null;
  /** How it was demanded: by its name, as the only one that may be called, or in the older form by its name. */
  readonly by: 'name' | 'required' | 'function_call';
  /** Where it is in the body. */
  readonly loc: readonly string[];
}

/** The limit of OpenAI, in characters. A name is kept with the search. */
const maxName = 64;

/**
 * The function that a request forces, in chat completions and in responses; undefined if it forces none. Throws a 400 that says
 * why, if it forces the call of another kind of tool, of one of several functions, or of one that is not among its tools.
 */
export function forcedFunction(request: Body): ForcedFunction | undefined {
  const { tool_choice: choice, tools, function_call, functions } = request;
  const forced = chosen(choice, tools);
  if (forced !== undefined || !isObject(function_call)) return forced;
  return named(function_call.name, functionsIn(functions, 'functions'), 'function_call');
}

/** The shape of the answer that a function asks for. Throws a 400 that names the part which a template cannot express. */
export function shapeOfFunction({ parameters, loc }: ForcedFunction): Shape {
  const schema = [...loc, 'parameters'];
  const shape = readFormat({ type: 'json_schema' }, parameters, { format: schema, schema })!;
  // A search would refuse them at its own field, which is where another format of the text would be.
  const issues = templateIssues(shape.template);
  if (issues.length === 0) return shape;
  throw invalidAt(issues.map(({ path, message: msg, type }) => ({ loc: ['body', ...schema, ...path], msg, type })));
}

/** Throws a 400 if a published API is to answer with the call of a function: it has a template of its own, or none. */
export function checkNoFunction(forced: ForcedFunction | undefined): void {
  if (forced === undefined) return;
  const param = forced.by === 'function_call' ? 'function_call' : 'tool_choice';
  throw refused(param, 'expected "auto" or "none" with the model of a published API, which has its own template');
}

function chosen(choice: unknown, tools: unknown): ForcedFunction | undefined {
  if (choice === 'required') return onlyOne(tools, functionsIn(tools, 'tools'));
  // The web search is the one tool that every call uses, so a client may demand it.
  if (!isObject(choice) || isWebSearch(choice)) return undefined;
  const listed = functionsIn(tools, 'tools');
  if (choice.type === 'function') return named(functionOf(choice).name, listed, 'tool_choice');
  if (choice.type !== 'allowed_tools') throw refused('tool_choice', noOther);
  // Chat completions have the mode one level further down than responses.
  const { mode, tools: allowed } = isObject(choice.allowed_tools) ? choice.allowed_tools : choice;
  if (mode !== 'required') return undefined;
  const one = onlyOne(allowed, functionsIn(allowed, 'tool_choice'));
  return one && { ...named(one.name, listed, 'tool_choice'), by: 'required' };
}

const noOther =
  'expected "auto", "none" or a function: a search answers as the call of one function and calls no other tools';

function onlyOne(tools: unknown, listed: readonly ForcedFunction[]): ForcedFunction | undefined {
  if (Array.isArray(tools) && tools.some(isWebSearch)) return undefined;
  const [only] = listed;
  if (only !== undefined && listed.length === 1) return { ...only, name: checkName(only), by: 'required' };
  const got = only === undefined ? 'none' : `${listed.length} functions: name the one to call`;
  throw refused('tool_choice', `expected one function, because a search has one answer and calls nothing; got ${got}`);
}

function named(
  name: unknown,
  listed: readonly ForcedFunction[],
  param: 'tool_choice' | 'function_call',
): ForcedFunction {
  const found = listed.find((each) => each.name === name);
  if (found === undefined) throw refused(param, `expected one of the functions of the request; got ${preview(name)}`);
  return { ...found, name: checkName(found), by: param === 'function_call' ? param : 'name' };
}

function checkName({ name, loc }: ForcedFunction): string {
  if (name !== '' && name.length <= maxName) return name;
  throw invalid(
    ['body', ...loc, 'name'],
    `expected a name of at most ${maxName} characters; got ${name.length}`,
    'value_error',
  );
}

/** The functions of a list; what else is in it is passed over. */
function functionsIn(tools: unknown, field: string): ForcedFunction[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, at): ForcedFunction[] => {
    if (!isObject(tool) || (field !== 'functions' && tool.type !== 'function')) return [];
    const { name, parameters, strict } = functionOf(tool);
    const loc = [field, String(at), ...(isObject(tool.function) ? ['function'] : [])];
    return [
      {
        name: typeof name === 'string' ? name : '',
        parameters,
        strict: typeof strict === 'boolean' ? strict : null,
        by: 'name',
        loc,
      },
    ];
  });
}

/** Chat completions have a function one level further down than responses. */
function functionOf(tool: Body): Body {
  return isObject(tool.function) ? tool.function : tool;
}

/** Whether one of the tools of a request is the web search, in any of its versions. */
export function isWebSearch(tool: unknown): boolean {
  return isObject(tool) && typeof tool.type === 'string' && tool.type.startsWith('web_search');
}
