import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One bounded load of calls of one method, each connection with so many of them under way at any moment. */
export type CallOrder = {
  port: number;
  method: string;
  /** First parameters, in turn. */
  parameters: string[];
  connections: number;
  depth: number;
  seconds: number;
};

/** What a load found; latencies are left out: eight deep, they are eight calls' time. */
export type CallResult = {
  callsPerSecond: number;
  failed: number;
  /** What one of those that failed was told. */
  error: string | undefined;
  loadCpuShare: number;
};

const NEWLINE = 0x0a;
const ERROR_AT = '{"jsonrpc":"2.0",'.length;
const ERROR = '"error"'.charCodeAt(1);
const LONGEST_ERROR = 90;

// Runs as its own process: takes one order, answers with one result, ends.
process.once('message', async (order: CallOrder) => {
  const lines = order.parameters.map((parameter) =>
    Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: order.method, params: [parameter] })}\n`),
  );
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => open(order.port)));
  let answered = 0;
  let failed = 0;
  let error: string | undefined;
  let next = 0;
  let isOver = false;
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  for (const socket of sockets) {
    const send = (count: number): void => {
      socket.write(Buffer.concat(Array.from({ length: count }, () => lines[next++ % lines.length]!)));
    };
    let isAtStart = true;
    socket.on('data', (chunk: Buffer) => {
      let ended = 0;
      for (let at = 0; at < chunk.length; ) {
        if (isAtStart && chunk[at + ERROR_AT + 1] === ERROR) {
          failed++;
          error = chunk.toString('utf8', at, at + LONGEST_ERROR);
        }
        const end = chunk.indexOf(NEWLINE, at);
        isAtStart = end >= 0;
        if (end < 0) break;
        ended++;
        at = end + 1;
      }
      answered += ended;
      if (!isOver && ended > 0) send(ended);
    });
    send(order.depth);
  }
  await new Promise((resolve) => setTimeout(resolve, order.seconds * 1_000));
  isOver = true;
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  for (const socket of sockets) socket.destroy();
  const result: CallResult = {
    callsPerSecond: answered / seconds,
    failed,
    error,
    loadCpuShare: (cpu.user + cpu.system) / 1e6 / seconds,
  };
  process.send!(result, () => process.disconnect?.());
});

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.setNoDelay(true);
  await once(socket, 'connect');
  return socket;
}
