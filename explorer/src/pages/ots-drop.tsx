import { useRef, useState } from 'preact/hooks';
import { formatBytes } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { Section } from '../ui/page.tsx';
import type { OtsCheck } from './ots-check.tsx';

/** What is read of a file at most; those of calendars have a few thousand bytes. */
const MOST_BYTES = 65_536;

type Chosen = { name: string; bytes: Uint8Array; Check: typeof OtsCheck };

/** Takes a file of OpenTimestamps; what checks it is fetched when one is given. */
export function OtsDrop() {
  const [chosen, setChosen] = useState<Chosen | undefined>();
  const [problem, setProblem] = useState('');
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const turn = useRef(0);

  async function take(file: File | undefined | null): Promise<void> {
    if (!file) return;
    turn.current += 1;
    const mine = turn.current;
    setChosen(undefined);
    setProblem('');
    try {
      if (file.size > MOST_BYTES) {
        setProblem(
          t('This file has {bytes}: it is no file of OpenTimestamps.', { bytes: formatBytes(file.size) }),
        );
        return;
      }
      const [bytes, { OtsCheck: Check }] = await Promise.all([file.arrayBuffer(), import('./ots-check.tsx')]);
      if (turn.current === mine) setChosen({ name: file.name, bytes: new Uint8Array(bytes), Check });
    } catch (error) {
      if (turn.current !== mine) return;
      const reason = error instanceof Error ? error.message : String(error);
      setProblem(t('The file could not be read: {reason}', { reason }));
    }
  }

  return (
    <Section title="Check a timestamp" aside={t('files of OpenTimestamps, checked in this browser')}>
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
        <button type="button" class="act second" onClick={() => input.current?.click()}>
          {t('Choose the .ots file')}
        </button>
        <span class="quiet">{t('or drop the .ots file here. It is not sent anywhere.')}</span>
        <input
          ref={input}
          type="file"
          accept=".ots"
          hidden
          aria-label={t('Choose the .ots file')}
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        <span role="status" class="quiet">
          {problem}
        </span>
      </fieldset>
      {chosen && <chosen.Check key={turn.current} name={chosen.name} bytes={chosen.bytes} />}
    </Section>
  );
}
