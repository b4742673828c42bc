import { type BuiltTransaction, buildTransaction } from '../build-transaction.ts';
import { nextAddress, scanAccounts, type WalletScan } from '../scan-accounts.ts';
import { finaliseTransaction, type SignedTransaction, signTransaction } from '../sign-transaction.ts';
import type { TransactionPlan } from '../transaction-plan.ts';
import type { AddressKind } from '../wallet-address.ts';
import { openWallet, type Wallet } from '../wallet-keys.ts';
import type { WalletReads } from '../wallet-reads.ts';
import { deriveAddress } from '../watch-wallet.ts';
import { createFakeChain, type FakeChain } from './fake-chain.ts';
import { regtestNetwork } from './networks.ts';

export const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** One for all tests: it remembers the addresses that it derived. */
const shared = openWallet({ mnemonic: MNEMONIC, network: regtestNetwork });

/** An address of nobody. */
export const STRANGER = deriveAddress(
  openWallet({ mnemonic: `${'abandon '.repeat(11)}about`, network: regtestNetwork }).watch,
  { kind: 'p2wpkh', chain: 0, index: 0 },
).address;

/** A wallet with coins on a chain in memory. */
export type FakeWallet = Wallet & {
  chain: FakeChain;
  scan(reads?: WalletReads): Promise<WalletScan>;
  build(
    plan: TransactionPlan,
    options?: { reads?: WalletReads; ratePerKvb?: bigint },
  ): Promise<BuiltTransaction>;
  sign(built: BuiltTransaction): SignedTransaction;
};

/** @param coins - base units that addresses 0, 1, … of a kind have */
export function createFakeWallet(coins: Partial<Record<AddressKind, readonly bigint[]>>): FakeWallet {
  const wallet = shared;
  const chain = createFakeChain(regtestNetwork);
  for (const [kind, values] of Object.entries(coins) as [AddressKind, bigint[]][]) {
    for (const [index, value] of values.entries()) {
      chain.pay(deriveAddress(wallet.watch, { kind, chain: 0, index }).address, value);
    }
  }
  const scan = (reads = chain.reads) => scanAccounts(wallet.watch, reads);
  return {
    ...wallet,
    chain,
    scan,
    async build(plan, { reads = chain.reads, ratePerKvb = 10_000n } = {}) {
      const found = await scan(reads);
      return buildTransaction({
        wallet: wallet.watch,
        coins: found.coins,
        own: found.used,
        plan,
        feeRatePerKvb: ratePerKvb,
        change: nextAddress(found, { kind: 'p2wpkh', chain: 1 }),
        reads,
      });
    },
    sign({ psbt, review }) {
      return finaliseTransaction([
        signTransaction(wallet.keys, wallet.watch, psbt, { approval: review.approval }),
      ]);
    },
  };
}
