import {
  describeType,
  listFields,
  type OpenApi,
  type OpenApiParameter,
  type Schema,
} from '../data/open-api.ts';
import { t } from '../language/messages.ts';
import { Table } from '../ui/table.tsx';
import type { AnswerHeader } from './list-headers.ts';

/** What an operation takes. */
export function ParameterTable({
  parameters,
  document,
}: {
  parameters: readonly OpenApiParameter[];
  document: OpenApi;
}) {
  return (
    <>
      <h3>{t('Parameters')}</h3>
      <Table columns={['Name', 'Type', { heading: 'Meaning', class: 'wide' }]}>
        {parameters.map((parameter) => (
          <tr key={`${parameter.in} ${parameter.name}`}>
            <td>
              <code>{parameter.name}</code>{' '}
              <span class="quiet">
                {parameter.in}
                {parameter.required !== true && t(', optional')}
              </span>
            </td>
            <td>{describeType(parameter.schema, document)}</td>
            <td class="wide" lang="en">
              {parameter.description}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

/** The headers of an operation's answers; nothing where the document names none. */
export function HeaderTable({ headers }: { headers: readonly AnswerHeader[] }) {
  if (headers.length === 0) return null;
  return (
    <>
      <h3>{t('Response headers')}</h3>
      <Table columns={['Name', { heading: 'Meaning', class: 'wide' }]}>
        {headers.map(({ name, codes, description }) => (
          <tr key={`${name} ${description}`}>
            <td>
              <code>{name}</code> <span class="quiet">{codes.join(', ')}</span>
            </td>
            <td class="wide" lang="en">
              {description}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

/** The fields of a body, or of an answer. */
export function FieldTable({
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
              {field.isOptional && <span class="quiet"> {t('optional')}</span>}
            </td>
            <td>{field.type}</td>
            <td class="wide" lang="en">
              {field.description}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
