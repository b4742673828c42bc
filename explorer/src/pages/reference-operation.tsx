import functions from 'virtual:sdk-functions';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OpenApi, PlacedOperation } from '../data/open-api.ts';
import { t } from '../language/messages.ts';
import { FieldTable, HeaderTable, ParameterTable } from '../reference/field-tables.tsx';
import { listHeaders } from '../reference/list-headers.ts';
import { findLiveValues } from '../reference/live-values.ts';
import { TryIt } from '../reference/try-it.tsx';
import {
  type Base,
  listAddressed,
  needsKey,
  type Values,
  writeCurl,
  writeTypeScript,
} from '../reference/write-examples.ts';
import { CopyButton } from '../ui/copy-button.tsx';

type Props = { placed: PlacedOperation; base: Base; document: OpenApi };

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
          <span class="quiet" lang="en">
            {operation.summary}
          </span>
        </summary>
        {isOpen && <OperationBody placed={placed} base={base} document={document} />}
      </details>
    </li>
  );
}

function OperationBody({ placed, base, document }: Props) {
  const { method, path, operation } = placed;
  const body = Object.values(operation.requestBody?.content ?? {})[0];
  const [status, success] =
    Object.entries(operation.responses ?? {}).find(([code]) => code.startsWith('2')) ?? [];
  const answer = Object.values(success?.content ?? {})[0];
  const errors = Object.entries(operation.responses ?? {}).filter(([code]) => /^[45]/.test(code));
  const { values, setValue, keepValue } = useValues(placed);
  const name = functions[`${method} ${base.prefix}${path}`];
  return (
    <div class="body">
      <p class="prose">
        <span lang="en">{operation.description}</span>{' '}
        <a href={`#${operation.operationId}`}>{t('Link to this operation')}</a>
      </p>
      {needsKey(placed) && <p>{t("Needs the merchant's API key in X-COIN-Pay-API-Key.")}</p>}
      <Example title="curl" text={writeCurl(placed, base, values, body?.example)} />
      {name !== undefined && (
        <Example title="TypeScript" text={writeTypeScript(placed, name, base, values, body?.example)} />
      )}
      {method === 'GET' && !needsKey(placed) && (
        <TryIt placed={placed} prefix={base.prefix} values={values} onEnter={keepValue} onValue={setValue} />
      )}
      {(operation.parameters ?? []).length > 0 && (
        <ParameterTable parameters={operation.parameters ?? []} document={document} />
      )}
      {body !== undefined && <FieldTable title={t('Body')} schema={body.schema} document={document} />}
      {answer !== undefined && (
        <FieldTable
          title={t('Answer {status}', { status: status ?? '' })}
          schema={answer.schema}
          document={document}
        />
      )}
      <HeaderTable headers={listHeaders(operation, document)} />
      {answer?.example !== undefined && (
        <details>
          <summary>{t('Example of an answer')}</summary>
          <pre>
            {typeof answer.example === 'string'
              ? answer.example
              : JSON.stringify(answer.example, undefined, 2)}
          </pre>
        </details>
      )}
      {errors.length > 0 && (
        <>
          <h3>{t('Errors')}</h3>
          <ul class="plain">
            {errors.map(([code, response]) => (
              <li key={code}>
                <strong>{code}</strong>{' '}
                <span class="quiet" lang="en">
                  {response.description}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Example({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h3>{title}</h3>
      <pre>
        {text}
        <CopyButton text={text} what={t('{title} example', { title })} />
      </pre>
    </>
  );
}

type HeldValues = {
  values: Values;
  setValue: (name: string, value: string) => void;
  /** Keeps a value as it is, because somebody is about to change it. */
  keepValue: (name: string) => void;
};

/** Values of the parameters: the document's examples, then what this chain has, then what somebody types. */
function useValues(placed: PlacedOperation): HeldValues {
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(
      listAddressed(placed).flatMap(({ name, required, example }) =>
        required === true && example !== undefined ? [[name, String(example)]] : [],
      ),
    ),
  );
  const held = useRef(new Set<string>());
  useEffect(() => {
    let isLate = false;
    void findLiveValues(placed).then((live) => {
      if (isLate) return;
      const wanted = Object.entries(live).filter(([name]) => !held.current.has(name));
      setValues((before) => ({ ...before, ...Object.fromEntries(wanted) }));
    });
    return () => {
      isLate = true;
    };
  }, [placed]);
  return {
    values,
    setValue: (name, value) => {
      held.current.add(name);
      setValues((before) => ({ ...before, [name]: value }));
    },
    // Between a click into a field and what is pasted there, a value that came would be joined with it.
    keepValue: (name) => held.current.add(name),
  };
}
