import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread of `sqlite-checkpoints.ts`: brings what commits have written into the file, once a message. */
const database = new DatabaseSync(workerData as string, { timeout: 5_000 });
const port = parentPort!;
port.on('message', (message: 'checkpoint' | 'close') => {
  if (message === 'close') {
    database.close();
    port.close();
  } else {
    // Passive: it waits for nobody, and nobody for it. What a reader still needs stays for the next time.
    database.exec('pragma wal_checkpoint(passive)');
    port.postMessage('done');
  }
});
