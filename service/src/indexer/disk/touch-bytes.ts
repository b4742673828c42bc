import { read } from 'node:fs';

/** What is read is thrown away, so all may use the same room at once. */
const room = Buffer.allocUnsafeSlow(256 * 1_024);

/**
 * Has bytes of a file brought to the memory of the machine, by a thread of Node's pool. Where that fails it is over, too: who reads them is
 * told.
 */
export function touchBytes(fd: number, at: number, length: number): Promise<void> {
  return new Promise((resolve) => {
    const next = (done: number): void => {
      if (done >= length) {
        resolve();
        return;
      }
      read(fd, room, 0, Math.min(room.length, length - done), at + done, (error, count) => {
        if (error || count === 0) resolve();
        else next(done + count);
      });
    };
    next(0);
  });
}
