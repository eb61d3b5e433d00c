/** One call: its parameters, its body with examples, and its responses. */
import type { Contents, Operation } from './open-api.ts';
import { Inline, SchemaView, Text, TypeOf } from './schema-view.tsx';

export function OperationView({ of: operation }: { readonly of: Operation }) {
  const { id, method, path, summary, description, parameters = [], requestBody, responses } = operation;
  return (
    <section class="operation" id={id} aria-labelledby={`of-${id}`}>
      <h2 id={`of-${id}`}>
        <span class="method">{method}</span> <code>{path}</code>
      </h2>
      <Text of={description ?? summary} />
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <dl class="fields">
            {parameters.map(({ name, in: place, required, description, schema }) => (
              <div key={`${place} ${name}`}>
                <dt>
                  <code>{name}</code> <span class="field-type">{place}</span>{' '}
                  {schema !== undefined && <TypeOf schema={schema} />}
                  {required === true && <span class="field-required"> required</span>}
                </dt>
                <dd>
                  <Text of={description} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {requestBody !== undefined && (
        <>
          <h3>Body{requestBody.required === true ? '' : ' (optional)'}</h3>
          <ContentView of={requestBody.content} name={`${method} ${path}: body`} />
        </>
      )}
      <h3>Responses</h3>
      {Object.entries(responses).map(([status, { description, content }]) => (
        <details key={status} class="response">
          <summary>
            <span class="status">{status}</span>{' '}
            <span>
              <Inline of={description} />
            </span>
          </summary>
          {content !== undefined && <ContentView of={content} name={`${method} ${path}: ${status}`} />}
        </details>
      ))}
    </section>
  );
}

function ContentView({ of: contents, name }: { readonly of: Contents; readonly name: string }) {
  return (
    <>
      {Object.entries(contents).map(([type, { schema, examples = {} }]) => (
        <div key={type}>
          <p class="field-type">{type}</p>
          {schema !== undefined && <SchemaView of={schema} />}
          {Object.entries(examples).map(([title, { value }]) => (
            <details key={title}>
              <summary>Example: {title}</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: makes it scrollable by keyboard */}
              <section class="example" aria-label={`${name}, example ${title}`} tabIndex={0}>
                <pre>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
              </section>
            </details>
          ))}
        </div>
      ))}
    </>
  );
}
