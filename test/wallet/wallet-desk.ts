import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getConfig } from '../../sdk/chain/get-config.ts';
import type { Client } from '../../sdk/client/client.ts';
import { createClient } from '../../sdk/client/create-client.ts';
import { preflightToken } from '../../sdk/tokens/preflight-token.ts';
import type { BuiltTransaction } from '../../sdk/wallet/build-transaction.ts';
import { clientReads } from '../../sdk/wallet/client-reads.ts';
import { type Network, readNetwork } from '../../sdk/wallet/network.ts';
import { preflightTransaction } from '../../sdk/wallet/preflight-transaction.ts';
import { prepareTransaction } from '../../sdk/wallet/prepare-transaction.ts';
import { scanAccounts, type WalletScan } from '../../sdk/wallet/scan-accounts.ts';
import { sendTransaction } from '../../sdk/wallet/send-transaction.ts';
import {
  finaliseTransaction,
  type SignedTransaction,
  signTransaction,
} from '../../sdk/wallet/sign-transaction.ts';
import type { TransactionPlan } from '../../sdk/wallet/transaction-plan.ts';
import { openWallet, type Wallet } from '../../sdk/wallet/wallet-keys.ts';
import type { WalletReads } from '../../sdk/wallet/wallet-reads.ts';
import type { DatabaseLocation } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { replacementArgs } from '../harness/test-coin.ts';

/** A wallet of the SDK at a real service beside a real node. */
export type WalletDesk = {
  node: TestNode;
  service: TestService;
  database: DatabaseLocation;
  client: Client;
  reads: WalletReads;
  network: Network;
  open(mnemonic: string): Wallet;
  scan(wallet: Wallet): Promise<WalletScan>;
  build(wallet: Wallet, plan: TransactionPlan, ratePerKvb?: bigint): Promise<BuiltTransaction>;
  sign(wallet: Wallet, built: BuiltTransaction): SignedTransaction;
  /** Builds, signs and sends; a token operation passes the preflight first. */
  carryOut(
    wallet: Wallet,
    plan: TransactionPlan,
    options?: { preflight?: boolean },
  ): Promise<BuiltTransaction & SignedTransaction>;
  mine(count?: number): Promise<void>;
  stop(): Promise<void>;
};

/** Opens one; its service has a file of its own unless another database is given. */
export async function openWalletDesk(given?: DatabaseLocation): Promise<WalletDesk> {
  const node = await startNode({ extraArgs: replacementArgs });
  await node.mine(110);
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-wallet-'));
  const database: DatabaseLocation = given ?? { kind: 'sqlite', dataDir };
  const settings = {
    COINFRONT_PUBLIC_URL: 'https://coin.example',
    COINFRONT_REGISTRY_ALLOW: 'loopback',
    COINFRONT_REGISTRY_PORTS: 'any',
  };
  const service = await startService({ nodeUrl: node.url, database, settings });
  const client = createClient({ baseUrl: service.origin });
  const reads = clientReads(client);
  const network = readNetwork(await getConfig(client));

  const scan = async (wallet: Wallet) => {
    await service.waitForTip();
    await service.waitForMempool();
    return scanAccounts(wallet.watch, reads);
  };
  const build: WalletDesk['build'] = async (wallet, plan, ratePerKvb = 5_000n) => {
    await service.waitForTip();
    await service.waitForMempool();
    return prepareTransaction(client, { wallet: wallet.watch, plan, fee: { ratePerKvb } });
  };
  const sign: WalletDesk['sign'] = (wallet, { psbt, review }) =>
    finaliseTransaction([signTransaction(wallet.keys, wallet.watch, psbt, { approval: review.approval })]);
  return {
    node,
    service,
    database,
    client,
    reads,
    network,
    open: (mnemonic) => openWallet({ mnemonic, network }),
    scan,
    build,
    sign,
    async carryOut(wallet, plan, { preflight = false } = {}) {
      const built = await build(wallet, plan);
      const signed = sign(wallet, built);
      if (preflight) await preflightTransaction(signed, (raw_tx) => preflightToken(client, { raw_tx }));
      await sendTransaction(reads, signed);
      return { ...built, ...signed };
    },
    async mine(count = 1) {
      await node.mine(count);
      await service.waitForTip();
    },
    async stop() {
      await service.stop();
      await node.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
