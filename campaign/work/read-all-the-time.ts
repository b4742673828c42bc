import { setTimeout as delay } from 'node:timers/promises';
import { createRandom, type Random } from '../../scripts/traffic/random.ts';
import type { PromiseRecord } from '../promises/record.ts';
import type { Client, ClientAnswer } from '../rig/client.ts';
import type { ChainTruth } from '../truth/chain-truth.ts';
import type { Signers } from './signers.ts';

/** Readers of the public API that never rest, whatever happens. */
export type Readers = {
  /** Answers that contradict themselves, since the last time that this was asked. */
  takeProblems(): string[];
  stop(): Promise<void>;
};

const READERS = 3;
const PAUSE_MS = 25;
/** After no answer. */
const RETRY_MS = 150;

/** Starts them; which pages they ask for is chosen by `seed` and by how fast they are answered. */
export function readAllTheTime(
  client: Client,
  seed: number,
  { record, truth, signers }: { record: PromiseRecord; truth: ChainTruth; signers: Signers },
): Readers {
  let isStopped = false;
  let problems: string[] = [];

  function choosePath(random: Random): string {
    const payments = [...record.payments.keys()];
    const txids = truth.listNewest(60);
    const { address } = random.pick(signers.list);
    return random.pick([
      '/api/v1/status',
      '/api/v1/blocks?limit=12',
      '/api/v1/supply',
      '/api/v1/fee',
      '/api/v1/tokens',
      '/api/v1/proof/recent',
      '/api/vns/v1/status',
      '/api/nodeproof/status',
      '/api/treasury/status',
      '/esplora/mempool/txids',
      `/api/v1/block/${random.integer(0, Math.max(truth.height(), 0))}`,
      `/api/v1/address/${address}`,
      `/api/v1/utxos/${address}`,
      `/api/v1/addresses/${address}/tokens`,
      ...(txids.length > 0 ? [`/api/v1/tx/${random.pick(txids)}`] : []),
      ...(payments.length > 0 ? [`/api/v1/payments/${random.pick(payments)}`] : []),
    ]);
  }

  async function read(random: Random): Promise<void> {
    while (!isStopped) {
      const path = choosePath(random);
      const answer = await client.get(path);
      if (answer?.status === 200) problems.push(...findContradictions(path, answer));
      else if (answer && ![404, 503].includes(answer.status))
        problems.push(`${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
      await delay(answer ? PAUSE_MS : RETRY_MS);
    }
  }

  const reading = Promise.all(Array.from({ length: READERS }, (_, i) => read(createRandom(seed + i))));
  return {
    takeProblems() {
      const taken = problems;
      problems = [];
      return taken;
    },
    async stop() {
      isStopped = true;
      await reading;
    },
  };
}

/** A list of blocks is one chain that ends with the tip that its headers name. */
function findContradictions(path: string, { headers, json }: ClientAnswer): string[] {
  if (!path.startsWith('/api/v1/blocks')) return [];
  const items = json.items as { height: number; hash: string }[];
  const height = Number(headers.get('x-chain-height'));
  const isWhole =
    items[0]?.hash === headers.get('x-chain-tip') && items.every((item, i) => item.height === height - i);
  return isWhole ? [] : [`${path} shows blocks that are no chain up to its tip: ${JSON.stringify(items)}`];
}
