import { useRef, useState } from 'preact/hooks';
import { formatBytes } from '../format/number.ts';
import { DropZone } from '../hashing/drop-zone.tsx';
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
  const turn = useRef(0);

  async function take(file: File): Promise<void> {
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
      <DropZone
        label={t('Choose the .ots file')}
        accept=".ots"
        problem={problem}
        onFile={(file) => void take(file)}
      >
        {(open) => (
          <>
            <button type="button" class="act second" onClick={open}>
              {t('Choose the .ots file')}
            </button>
            <span class="quiet">{t('or drop the .ots file here. It is not sent anywhere.')}</span>
          </>
        )}
      </DropZone>
      {chosen && <chosen.Check key={turn.current} name={chosen.name} bytes={chosen.bytes} />}
    </Section>
  );
}
