import { useEffect, useRef, useState } from 'preact/hooks';
import { hidesPrivateKey } from '../data/hides-private-key.ts';
import type { PlacedOperation } from '../data/open-api.ts';
import { formatBytes, formatCount } from '../format/number.ts';
import { asIs, t } from '../language/messages.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Trouble } from '../ui/states.tsx';
import { type Answered, sendRequest } from './send-request.ts';
import { listAddressed, type Values, writePath } from './write-examples.ts';

/** Characters of a value; nothing that the API takes in an address is longer. */
const LONGEST_VALUE = 2_000;

/** Sends a read to this service, and shows its answer with what a program gets of it. */
export function TryIt({
  placed,
  prefix,
  values,
  onEnter,
  onValue,
}: {
  placed: PlacedOperation;
  prefix: string;
  values: Values;
  /** Somebody went into the field of this name. */
  onEnter: (name: string) => void;
  onValue: (name: string, value: string) => void;
}) {
  const [answered, setAnswered] = useState<Answered | undefined>();
  const [error, setError] = useState<unknown>();
  const [isSending, setIsSending] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const id = placed.operation.operationId;
  const etag = answered?.headers.find(([name]) => name === 'etag')?.[1];

  async function send(withEtag?: string): Promise<void> {
    setIsSending(true);
    setError(undefined);
    try {
      if (await hidesPrivateKey(Object.values(values).join(' ')))
        throw t('That looks like a private key. It was not sent anywhere. Never type it into a page.');
      const path = writePath(placed, prefix, values);
      setAnswered(await sendRequest(path, { etag: withEtag, signal: leaving.current.signal }));
    } catch (thrown) {
      setAnswered(undefined);
      setError(thrown);
    } finally {
      setIsSending(false);
    }
  }

  return (
    <form
      class="try"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h3>{t('Try it')}</h3>
      {listAddressed(placed).map(({ name, required }) => (
        <div key={name} class="field">
          <label for={`${id}-${name}`}>
            {name}
            {required !== true && t(', optional')}
          </label>
          <input
            id={`${id}-${name}`}
            required={required === true}
            maxLength={LONGEST_VALUE}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={values[name] ?? ''}
            onFocus={() => onEnter(name)}
            onInput={({ currentTarget }) => onValue(name, currentTarget.value)}
          />
        </div>
      ))}
      <p class="row">
        <button type="submit" class="act" disabled={isSending}>
          {isSending ? t('Sending …') : t('Send')}
        </button>
        {etag !== undefined && (
          <button type="button" class="act second" disabled={isSending} onClick={() => void send(etag)}>
            {t('Send with If-None-Match')}
          </button>
        )}
      </p>
      {error !== undefined && <Trouble error={error} />}
      <div role="status">{answered !== undefined && <Answer answered={answered} />}</div>
    </form>
  );
}

function Answer({ answered: { status, milliseconds, headers, text, bytes, isCut } }: { answered: Answered }) {
  return (
    <>
      <Facts>
        <Fact name="Status">
          <strong>{status}</strong>{' '}
          <span class="quiet">
            {formatCount(milliseconds)} ms,{' '}
            {isCut ? t('more than {bytes}', { bytes: formatBytes(bytes) }) : formatBytes(bytes)}
          </span>
        </Fact>
        {headers.map(([name, value]) => (
          <Fact key={name} name={asIs(name)}>
            <span class="mono">{value}</span>
          </Fact>
        ))}
      </Facts>
      {text === undefined && <p class="note">{t('The body is no text.')}</p>}
      {text !== undefined && text !== '' && (
        <pre>
          {text}
          <CopyButton text={text} what="body" />
        </pre>
      )}
      {isCut && <p class="note">{t('The rest of the body is not shown: use curl to get all of it.')}</p>}
    </>
  );
}
