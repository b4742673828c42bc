import { request } from 'node:http';

/** What attackers send over and over, each from an address of its own. */
export type AttackOrder = {
  origin: string;
  method: string;
  path: string;
  body: string | undefined;
  /** Attackers are at 127.0.0.n from this n on. */
  firstAddress: number;
  attackers: number;
  connectionsEach: number;
  seconds: number;
};

/** What came out: answers by status, and bytes that the attackers were sent. */
export type AttackResult = { statuses: Record<string, number>; bytes: number };

// Runs as its own process (see starve.ts): takes one order, answers with one result, ends.
process.once('message', async (order: AttackOrder) => {
  const ends = performance.now() + order.seconds * 1_000;
  const result: AttackResult = { statuses: {}, bytes: 0 };
  const attack = async (localAddress: string): Promise<void> => {
    while (performance.now() < ends) {
      const { status, bytes } = await send(order, { localAddress, until: ends });
      result.statuses[status] = (result.statuses[status] ?? 0) + 1;
      result.bytes += bytes;
    }
  };
  const attacks = Array.from({ length: order.attackers * order.connectionsEach }, (_, i) =>
    attack(`127.0.0.${order.firstAddress + (i % order.attackers)}`),
  );
  await Promise.all(attacks);
  process.send!(result, () => process.disconnect?.());
});

type Sent = { status: string; bytes: number };

function send(
  { origin, method, path, body }: Pick<AttackOrder, 'origin' | 'method' | 'path' | 'body'>,
  { localAddress, until }: { localAddress: string; until: number },
): Promise<Sent> {
  return new Promise((resolve) => {
    let status = 'no answer';
    let bytes = 0;
    const headers =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
    const sent = request(origin + path, { method, headers, localAddress, agent: false }, (response) => {
      status = String(response.statusCode);
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('error', () => undefined);
      response.on('close', finish);
    });
    const timer = setTimeout(() => sent.destroy(), Math.max(0, until - performance.now()));
    const finish = (): void => {
      clearTimeout(timer);
      resolve({ status, bytes });
    };
    sent.on('error', finish);
    sent.end(body);
  });
}
