import { type Attack, type Protocol, type Received, runAttack } from './attacks.ts';

/** What one process of hostile clients does: each at an address of its own. */
export type HostileOrder = {
  ports: Record<Protocol, number>;
  firstAddress: number;
  clients: number;
  attacks: (Omit<Attack, 'bytes'> & { bytes: string })[];
  seconds: number;
};

/** What all of them got. */
export type HostileResult = Received;

// Runs as its own process (see hostile.ts): takes one order, says that it begins, ends when its time is over.
process.once('message', (order: HostileOrder) => {
  process.send!('begins');
  const running = order.attacks.flatMap((attack) =>
    Array.from({ length: order.clients }, (_, i) =>
      runAttack(order.ports[attack.protocol], `127.0.0.${order.firstAddress + i}`, {
        ...attack,
        bytes: Buffer.from(attack.bytes, 'latin1'),
      }),
    ),
  );
  setTimeout(() => {
    for (const { stop } of running) stop();
    const sum = (what: keyof Received): number =>
      running.reduce((all, { received }) => all + received[what], 0);
    const result: HostileResult = {
      answers: sum('answers'),
      bytes: sum('bytes'),
      connections: sum('connections'),
    };
    process.send!(result, () => process.exit());
  }, order.seconds * 1_000);
});
