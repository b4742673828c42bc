import { readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { poolFetcher } from './fetch-bytes.ts';
import { BEGUN, type FetchMessage, type FetchWorkerData, STRETCH_NUMBERS } from './fetch-protocol.ts';

/** The latest reads by this thread of which the mean is taken. */
const REMEMBERED = 16;

const { farMs } = workerData as FetchWorkerData;
const room = Buffer.allocUnsafeSlow(64 * 1_024);
let meanMs = 0;

parentPort!.on('message', async (order: FetchMessage) => {
  const count = (order.length - 1) / STRETCH_NUMBERS;
  const answer = new Float64Array(1 + count).fill(Number.NaN);
  answer[0] = order[0]!;
  const left: Promise<unknown>[] = [];
  for (let i = 0; i < count; i++) {
    const at = 1 + i * STRETCH_NUMBERS;
    const stretch = [order[at]!, order[at + 1]!, order[at + 2]!] as const;
    if (i > 0 && meanMs > farMs) left.push(poolFetcher.fetch(...stretch));
    else answer[1 + i] = readTimed(...stretch);
  }
  if (left.length > 0) await Promise.all(left);
  parentPort!.postMessage(answer);
});
parentPort!.postMessage(Float64Array.of(BEGUN));

function readTimed(fd: number, at: number, length: number): number {
  const began = performance.now();
  readThrough(fd, at, length);
  const ms = performance.now() - began;
  meanMs += (ms - meanMs) / REMEMBERED;
  return ms;
}

/** The file may have been closed meanwhile: then nobody needs it. */
function readThrough(fd: number, at: number, length: number): void {
  try {
    for (let done = 0; done < length; ) {
      const count = readSync(fd, room, 0, Math.min(room.length, length - done), at + done);
      if (count === 0) return;
      done += count;
    }
  } catch {}
}
