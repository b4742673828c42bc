import { useState } from 'preact/hooks';
import {
  describeType,
  listFields,
  type OpenApi,
  type OpenApiParameter,
  type PlacedOperation,
  type Schema,
} from '../data/open-api.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Table } from '../ui/table.tsx';

type Props = { placed: PlacedOperation; base: string; document: OpenApi };

/** One operation; what it takes and gives is drawn when it is opened. */
export function OperationView({ placed, base, document }: Props) {
  const { method, path, operation } = placed;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li class="method" id={operation.operationId}>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>
          <span class={method === 'GET' ? 'verb' : 'verb post'}>{method}</span>
          <code>{path}</code>
          <span class="quiet">{operation.summary}</span>
        </summary>
        {isOpen && <OperationBody placed={placed} base={base} document={document} />}
      </details>
    </li>
  );
}

function OperationBody({ placed, base, document }: Props) {
  const { operation } = placed;
  const body = Object.values(operation.requestBody?.content ?? {})[0];
  const [status, success] =
    Object.entries(operation.responses ?? {}).find(([code]) => code.startsWith('2')) ?? [];
  const answer = Object.values(success?.content ?? {})[0];
  const errors = Object.entries(operation.responses ?? {}).filter(([code]) => /^[45]/.test(code));
  const example = curl(placed, base, body?.example);
  return (
    <div class="body">
      <p class="prose">
        {operation.description} <a href={`#${operation.operationId}`}>Link to this operation</a>
      </p>
      {(operation.security ?? []).length > 0 && <p>Needs the merchant's API key in X-COIN-Pay-API-Key.</p>}
      <pre>
        {example}
        <CopyButton text={example} what="example" />
      </pre>
      {(operation.parameters ?? []).length > 0 && (
        <ParameterTable parameters={operation.parameters ?? []} document={document} />
      )}
      {body !== undefined && <FieldTable title="Body" schema={body.schema} document={document} />}
      {answer !== undefined && (
        <FieldTable title={`Answer ${status}`} schema={answer.schema} document={document} />
      )}
      {answer?.example !== undefined && (
        <details>
          <summary>Example of an answer</summary>
          <pre>
            {typeof answer.example === 'string'
              ? answer.example
              : JSON.stringify(answer.example, undefined, 2)}
          </pre>
        </details>
      )}
      {errors.length > 0 && (
        <>
          <h3>Errors</h3>
          <ul class="plain">
            {errors.map(([code, response]) => (
              <li key={code}>
                <strong>{code}</strong> <span class="quiet">{response.description}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function curl({ method, path, operation }: PlacedOperation, base: string, body: unknown): string {
  const examples = new Map((operation.parameters ?? []).map(({ name, example }) => [name, example]));
  const filled = path.replace(/\{([^}]+)\}/g, (whole, name: string) => String(examples.get(name) ?? whole));
  const url = `${base.startsWith('http') ? '' : location.origin}${base}${filled}`;
  if (method === 'GET') return `curl "${url}"`;
  const data =
    body === undefined ? '' : ` -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`;
  return `curl -X ${method} "${url}"${data}`;
}

function ParameterTable({
  parameters,
  document,
}: {
  parameters: readonly OpenApiParameter[];
  document: OpenApi;
}) {
  return (
    <>
      <h3>Parameters</h3>
      <Table columns={['Name', 'Type', { heading: 'Meaning', class: 'wide' }]}>
        {parameters.map((parameter) => (
          <tr key={`${parameter.in} ${parameter.name}`}>
            <td>
              <code>{parameter.name}</code>{' '}
              <span class="quiet">
                {parameter.in}
                {parameter.required !== true && ', optional'}
              </span>
            </td>
            <td>{describeType(parameter.schema, document)}</td>
            <td class="wide">{parameter.description}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function FieldTable({
  title,
  schema,
  document,
}: {
  title: string;
  schema: Schema | undefined;
  document: OpenApi;
}) {
  const fields = listFields(schema, document);
  if (fields.length === 0) {
    return (
      <p>
        <strong>{title}</strong> {describeType(schema, document)}
      </p>
    );
  }
  return (
    <>
      <h3>{title}</h3>
      <Table columns={['Field', 'Type', { heading: 'Meaning', class: 'wide' }]}>
        {fields.map((field, index) => (
          <tr key={index}>
            <td>
              <code>
                {'  '.repeat(field.depth)}
                {field.name}
              </code>
              {field.isOptional && <span class="quiet"> optional</span>}
            </td>
            <td>{field.type}</td>
            <td class="wide">{field.description}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}
