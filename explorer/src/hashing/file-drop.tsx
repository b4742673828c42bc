import { useEffect, useRef, useState } from 'preact/hooks';
import { formatBytes } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { t } from '../language/messages.ts';
import { DropZone } from './drop-zone.tsx';
import { hashFile } from './hash-file.ts';

type Work = { name: string; bytes: number; done: number; startedAtMs: number; isFast?: boolean };

/** Before that a speed says little. */
const FIRST_ESTIMATE_MS = 500;

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
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function take(file: File): Promise<void> {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setProblem('');
    const begun = { name: file.name, bytes: file.size, done: 0, startedAtMs: performance.now() };
    setWork(begun);
    try {
      const digest = await hashFile(file, {
        signal: control.signal,
        onProgress: (done, isFast) => setWork({ ...begun, done, isFast }),
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
    <DropZone label={label} problem={problem} onFile={(file) => void take(file)}>
      {(open) =>
        work === undefined ? (
          <>
            <button type="button" class="act" onClick={open}>
              {label}
            </button>
            <span class="quiet">
              {t('or drop it here. It is hashed in this browser and not sent anywhere.')}
            </span>
          </>
        ) : (
          <>
            <bdi class="foreign-line">{work.name}</bdi>
            <progress max={work.bytes} value={work.done} aria-label={t('Hashing')} data-fast={work.isFast} />
            <span class="quiet">
              {t('{done} of {bytes}', { done: formatBytes(work.done), bytes: formatBytes(work.bytes) })}
              {describePace(work)}
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
        )
      }
    </DropZone>
  );
}

/** How fast it goes, and how long it still takes at that pace. */
function describePace({ bytes, done, startedAtMs }: Work): string {
  const seconds = (performance.now() - startedAtMs) / 1_000;
  if (done === 0 || seconds * 1_000 < FIRST_ESTIMATE_MS) return '';
  const perSecond = done / seconds;
  return t(', {speed} a second, {time} left', {
    speed: formatBytes(perSecond),
    time: formatDuration(Math.ceil((bytes - done) / perSecond)),
  });
}
