import { type Attack, runAttack } from './attacks.ts';

/** What one process of hostile clients does: each at an address of its own. */
export type HostileOrder = {
  port: number;
  firstAddress: number;
  clients: number;
  attacks: (Omit<Attack, 'bytes'> & { bytes: string })[];
  seconds: number;
};

// Runs as its own process (see hostile.ts): takes one order, ends when its time is over.
process.once('message', (order: HostileOrder) => {
  const running = order.attacks.flatMap((attack) =>
    Array.from({ length: order.clients }, (_, i) =>
      runAttack(order.port, `127.0.0.${order.firstAddress + i}`, {
        ...attack,
        bytes: Buffer.from(attack.bytes, 'latin1'),
      }),
    ),
  );
  setTimeout(() => {
    for (const { stop } of running) stop();
    process.send!('over', () => process.exit());
  }, order.seconds * 1_000);
});
