import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { encodeNameOperation } from '@coinfront/protocol/names/name-operation.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { MARKERS } from '@coinfront/sdk/wallet/markers.ts';
import type { WalletScan } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { expect, test } from 'vitest';
import { findPendingRenewals } from './find-pending-renewals.ts';

const own = '0014aa';
const foreign = '0014bb';
const renewalOf = (name: string) =>
  bytesToHex(buildCarrier(encodeNameOperation({ kind: 'renew', periods: 1, name }, MARKERS.name)));

type Tx = { confirmed?: true; spends?: [txid: string, script: string][]; outputs: string[] };

/** A service that has these transactions, and knows who spends what. */
function createService(txs: Readonly<Record<string, Tx>>): { client: Client; asked: string[] } {
  const asked: string[] = [];
  const spenderOf = (txid: string, script: string) =>
    Object.entries(txs).find(([, { spends = [] }]) =>
      spends.some((spent) => spent[0] === txid && spent[1] === script),
    )?.[0];
  const client = {
    request: async ({ params }: { params: { txid: string } }) => {
      const { txid } = params;
      asked.push(txid);
      const { confirmed, spends = [], outputs } = txs[txid]!;
      return {
        txid,
        confirmed: confirmed === true,
        inputs: spends.map(([spent, script]) => ({ txid: spent, prevout: { script } })),
        outputs: outputs.map((script) => {
          const spender = spenderOf(txid, script);
          return { script, spent_by: spender === undefined ? null : { txid: spender, vin: 0, height: null } };
        }),
      };
    },
  } as unknown as Client;
  return { client, asked };
}

type SeenCoin = { txid: string; height?: number; spentInMempool?: true };

const findFor = async (txs: Readonly<Record<string, Tx>>, coins: readonly SeenCoin[]) => {
  const { client, asked } = createService(txs);
  const scan = {
    used: [{ script: getHexBytes(own) }],
    coins: coins.map((coin) => ({ height: undefined, spentInMempool: false, ...coin })),
  } as unknown as WalletScan;
  const found = await findPendingRenewals(client, scan, new AbortController().signal);
  return { found: [...found].sort(), asked };
};

test('renewals whose change was spent are found, by renewals and by payments alike', async () => {
  const txs: Record<string, Tx> = {
    base: { confirmed: true, outputs: [own] },
    first: { spends: [['base', own]], outputs: [renewalOf('one.coin'), own] },
    second: { spends: [['first', own]], outputs: [renewalOf('two.coin'), own] },
    payment: { spends: [['second', own]], outputs: [foreign, own] },
  };
  expect((await findFor(txs, [{ txid: 'payment' }])).found).toEqual(['one.coin', 'two.coin']);
});

test('a renewal is found although nothing of its change is left', async () => {
  const txs: Record<string, Tx> = {
    base: { confirmed: true, outputs: [own] },
    renewal: { spends: [['base', own]], outputs: [renewalOf('one.coin'), own] },
    payment: { spends: [['renewal', own]], outputs: [foreign] },
  };
  const { found } = await findFor(txs, [{ txid: 'base', height: 7, spentInMempool: true }]);
  expect(found).toEqual(['one.coin']);
});

test('what others do is not followed', async () => {
  const txs: Record<string, Tx> = {
    theirs: { spends: [['elsewhere', foreign]], outputs: [own, foreign] },
    further: { spends: [['theirs', foreign]], outputs: [renewalOf('one.coin')] },
  };
  const { found, asked } = await findFor(txs, [{ txid: 'theirs' }]);
  expect([found, asked]).toEqual([[], ['theirs']]);
});
