import { t } from '../language/messages.ts';
import type { HashMessage } from './hash-message.ts';

/**
 * SHA-256 of a file, hex, in a thread of its own.
 *
 * @throws Error when the file cannot be read; the signal's reason when it was ended
 */
export function hashFile(
  file: File,
  { onProgress, signal }: { onProgress: (bytes: number, isFast: boolean) => void; signal: AbortSignal },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
    const end = () => {
      worker.terminate();
      reject(signal.reason);
    };
    signal.addEventListener('abort', end, { once: true });
    const finish = () => {
      signal.removeEventListener('abort', end);
      worker.terminate();
    };
    worker.addEventListener('message', ({ data }: MessageEvent<HashMessage>) => {
      if (data.kind === 'progress') {
        onProgress(data.bytes, data.isFast);
        return;
      }
      finish();
      if (data.kind === 'done') resolve(data.digest);
      else reject(new Error(data.reason));
    });
    worker.addEventListener('error', ({ message }) => {
      finish();
      reject(new Error(message || t('The hashing could not be started.')));
    });
    worker.postMessage(file);
  });
}
