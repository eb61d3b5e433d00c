/** A schema: its fields with their types and limits. What has a name is a link to the schema of that name. */
import { nameOf, type Schema } from './open-api.ts';

export function SchemaView({ of: schema }: { readonly of: Schema }) {
  const { properties, required = [], description } = schema;
  if (properties === undefined) {
    return (
      <p>
        <TypeOf schema={schema} /> <Inline of={description} />
      </p>
    );
  }
  return (
    <>
      <Text of={description} />
      <dl class="fields">
        {Object.entries(properties).map(([name, each]) => (
          <div key={name}>
            <dt>
              <code>{name}</code> <TypeOf schema={each} />
              {required.includes(name) && <span class="field-required"> required</span>}
            </dt>
            <dd>
              <Text of={each.description} />
              <Nested of={each} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The fields of objects that have no name. */
function Nested({ of: { properties, items, anyOf, oneOf } }: { readonly of: Schema }) {
  const parts = [properties && { properties }, items, ...(anyOf ?? []), ...(oneOf ?? [])];
  return (
    <>{parts.map((part, at) => (part?.properties === undefined ? null : <SchemaView key={String(at)} of={part} />))}</>
  );
}

export function TypeOf({ schema }: { readonly schema: Schema }) {
  return (
    <span class="field-type">
      <Name of={schema} />
      {limitsOf(schema)}
    </span>
  );
}

function Name({ of: schema }: { readonly of: Schema }) {
  const { $ref, type, format, items, enum: values, anyOf, oneOf, allOf, additionalProperties } = schema;
  if ($ref !== undefined) return <a href={`#schema-${nameOf($ref)}`}>{nameOf($ref)}</a>;
  if (schema.const !== undefined) return <code>{JSON.stringify(schema.const)}</code>;
  if (values !== undefined) return <code>{values.map((value) => JSON.stringify(value)).join(' | ')}</code>;
  const choices = anyOf ?? oneOf ?? allOf;
  if (choices !== undefined) {
    return (
      <>
        {choices.map((choice, at) => (
          <span key={String(at)}>
            {at > 0 && (allOf === undefined ? ' or ' : ' and ')}
            <Name of={choice} />
          </span>
        ))}
      </>
    );
  }
  if (items !== undefined) {
    return (
      <>
        list of <Name of={items} />
      </>
    );
  }
  if (typeof additionalProperties === 'object') {
    return (
      <>
        map of <Name of={additionalProperties} />
      </>
    );
  }
  return <>{format ?? (typeof type === 'string' ? type : (type?.join(' or ') ?? 'any'))}</>;
}

function limitsOf({ minimum, maximum, minLength, maxLength, maxItems, default: value }: Schema): string {
  const limits = [
    ...range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(undefined, maxItems, ' entries'),
    ...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]),
  ];
  return limits.length === 0 ? '' : `, ${limits.join(', ')}`;
}

function range(from: number | undefined, to: number | undefined, unit: string): string[] {
  if (from === undefined && to === undefined) return [];
  if (from === undefined) return [`at most ${grouped(to!)}${unit}`];
  return [to === undefined ? `at least ${grouped(from)}${unit}` : `${grouped(from)} to ${grouped(to)}${unit}`];
}

const numbers = new Intl.NumberFormat('en');
const grouped = (value: number) => numbers.format(value);

/** A description: text with code between backticks. */
export function Text({ of: text }: { readonly of: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p>
      <Inline of={text} />
    </p>
  );
}

/** The same within a paragraph. */
export function Inline({ of: text = '' }: { readonly of: string | undefined }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={String(at)}>{part}</code> : part))}</>;
}
