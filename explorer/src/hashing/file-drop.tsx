import { useEffect, useRef, useState } from 'preact/hooks';
import { formatBytes } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { hashFile } from './hash-file.ts';

type Work = { name: string; bytes: number; done: number };

/** Takes a file by drop or by the system's dialog and hashes it here. */
export function FileDrop({
  label,
  onDigest,
}: {
  label: string;
  onDigest: (file: { name: string; bytes: number; digest: string }) => void;
}) {
  const [work, setWork] = useState<Work | undefined>();
  const [problem, setProblem] = useState('');
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function take(file: File | undefined | null): Promise<void> {
    if (!file) return;
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setProblem('');
    setWork({ name: file.name, bytes: file.size, done: 0 });
    try {
      const digest = await hashFile(file, {
        signal: control.signal,
        onProgress: (done) => setWork({ name: file.name, bytes: file.size, done }),
      });
      setWork(undefined);
      onDigest({ name: file.name, bytes: file.size, digest });
    } catch (error) {
      if (control.signal.aborted) return;
      setWork(undefined);
      setProblem(
        t('The file could not be read: {reason}', {
          reason: error instanceof Error ? error.message : String(error),
        }),
      );
    }
  }

  return (
    <fieldset
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void take(event.dataTransfer?.files[0]);
      }}
    >
      {work === undefined ? (
        <>
          <button type="button" class="act" onClick={() => input.current?.click()}>
            {label}
          </button>
          <span class="quiet">
            {t('or drop it here. It is hashed in this browser and not sent anywhere.')}
          </span>
        </>
      ) : (
        <>
          <bdi class="foreign-line">{work.name}</bdi>
          <progress max={work.bytes} value={work.done} aria-label={t('Hashing')} />
          <span class="quiet">
            {t('{done} of {bytes}', { done: formatBytes(work.done), bytes: formatBytes(work.bytes) })}
          </span>
          <button
            type="button"
            class="act second"
            onClick={() => {
              running.current?.abort();
              setWork(undefined);
            }}
          >
            {t('Stop')}
          </button>
        </>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <span role="status" class="quiet">
        {problem}
      </span>
    </fieldset>
  );
}
