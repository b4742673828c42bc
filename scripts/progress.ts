/** How far something has come that people wait for. */
export type Progress = {
  /** Shows a line in the place of the one before; where nobody watches, a line of its own now and then. */
  show(line: string): void;
  /** What was shown is over. */
  end(): void;
};

export type ProgressOptions = {
  readonly output?: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean };
  /** Milliseconds that only grow. */
  readonly now?: () => number;
};

const CLEAR_LINE = '\r\u001b[K';
const LINE_EVERY_MS = 5_000;

export function createProgress({
  output = process.stdout,
  now = () => performance.now(),
}: ProgressOptions = {}): Progress {
  let isOpen = false;
  let nextAt = now() + LINE_EVERY_MS;
  return {
    show(line) {
      if (output.isTTY) {
        output.write(`${CLEAR_LINE}${line}`);
        isOpen = true;
      } else if (now() >= nextAt) {
        output.write(`${line}\n`);
        nextAt = now() + LINE_EVERY_MS;
      }
    },
    end() {
      if (isOpen) output.write(CLEAR_LINE);
      isOpen = false;
    },
  };
}
