import { useEffect, useState } from 'preact/hooks';
import { t, type Words } from '../language/messages.ts';

const SHOWN_MS = 1_600;

/** Copies a value; `what` names it for those who do not see it. */
export function CopyButton({ text, what }: { text: string; what: Words }) {
  const [said, setSaid] = useState<'' | 'copied' | 'refused'>('');
  useEffect(() => {
    if (said === '') return undefined;
    const timer = setTimeout(() => setSaid(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const label =
    said === '' ? t('Copy {what}', { what: t(what) }) : t(said === 'copied' ? 'Copied' : 'Not allowed here');
  return (
    <button
      type="button"
      class={said === '' ? 'copy' : 'copy done'}
      aria-label={label}
      title={label}
      onClick={async (event) => {
        event.stopPropagation();
        setSaid((await copyText(text)) ? 'copied' : 'refused');
      }}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {said === 'copied' ? (
          <path d="M6.2 12.6 1.8 8.2l1.3-1.3 3.1 3.1 6.700-6.700 1.300 1.300z" />
        ) : (
          <path d="M5 1h8a1 1 0 0 1 1 1v9h-1.500V2.500H5zM2 4h8.500a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H2a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zm.5 1.500v8h7.500v-8z" />
        )}
      </svg>
    </button>
  );
}

/** Where the clipboard's own interface is missing, as on plain http, the older way still works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'unseen';
    document.body.append(area);
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    return isDone;
  }
}
