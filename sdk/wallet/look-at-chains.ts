import { isCoinfrontError } from '../client/error.ts';
import { isSameState } from './chain-state.ts';
import { ADDRESSES_AT_ONCE } from './read-addresses.ts';
import { completeReport } from './read-outputs.ts';
import type { ScanOptions } from './scan-accounts.ts';
import { type ChainMemory, readTotals, type ScanMemory } from './scan-memory.ts';
import type { AddressKind, Chain } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';
import type { AddressReport, AddressReports, ChainState, WalletReads } from './wallet-reads.ts';
import { deriveAddress, type WatchWallet } from './watch-wallet.ts';

/** A look at all addresses of a wallet. */
export type Look = {
  readonly memory: ScanMemory;
  /** Whether all answers are from one state. */
  readonly isOfOneState: boolean;
};

type Bounds = Required<Pick<ScanOptions, 'gapLimit' | 'maxAddresses'>> &
  Pick<ScanOptions, 'signal' | 'onProgress'>;

type OpenChain = {
  kind: AddressKind;
  chain: Chain;
  reports: AddressReport[];
  next: number;
  expected: number;
};

/**
 * Looks once at each chain of each account, up to its gap. All chains are asked for together, and as far as was known before at
 * once, so that a wallet takes a few requests.
 *
 * @param known tells how far there is something to look at; of its answers none is taken but pages that cannot have changed
 * @returns undefined when the chain changed so that a list could not go on
 * @throws WalletError `scan_limit`, `answer_invalid`; and what the reads throw
 */
export async function lookAtChains(
  wallet: WatchWallet,
  reads: WalletReads,
  bounds: Bounds,
  known: ScanMemory | undefined,
): Promise<Look | undefined> {
  const { gapLimit, signal, onProgress } = bounds;
  const options = signal === undefined ? {} : { signal };
  const chains = openChains(wallet, known);
  const states: (ChainState | undefined)[] = [];
  let scanned = 0;
  let used = 0;
  for (;;) {
    const wanted = chains.flatMap((chain) => listWanted(chain, bounds));
    if (wanted.length === 0) break;
    for (let i = 0; i < wanted.length; i += ADDRESSES_AT_ONCE) {
      signal?.throwIfAborted();
      const chunk = wanted.slice(i, i + ADDRESSES_AT_ONCE);
      const { reports, state } = await ask(
        reads,
        chunk.map(
          ({ open: { kind, chain }, index }) => deriveAddress(wallet, { kind, chain, index }).address,
        ),
        options,
      );
      states.push(state);
      for (const [j, { open, index }] of chunk.entries()) {
        const report = reports[j]!;
        open.reports[index] = report;
        if (!readTotals(report, wallet.network).isUsed) continue;
        open.next = index + 1;
        used += 1;
      }
      scanned += chunk.length;
      const { kind, chain } = chunk.at(-1)!.open;
      onProgress?.({ kind, chain, scanned, used });
    }
  }
  try {
    if (await completeAll(chains, wallet, reads, known, options)) {
      // Pages say of no state what they are from: what did not change until after them they cannot contradict.
      const first = deriveAddress(wallet, { kind: chains[0]!.kind, chain: 0, index: 0 });
      states.push((await ask(reads, [first.address], options)).state);
    }
  } catch (error) {
    if (isCoinfrontError(error, 'cursor_expired')) return undefined;
    throw error;
  }
  const memory = {
    gapLimit,
    state: states[0],
    chains: chains.map(({ kind, chain, reports }): ChainMemory => ({ kind, chain, reports })),
  };
  return { memory, isOfOneState: states.every((state) => isSameState(state, states[0])) };
}

function openChains(wallet: WatchWallet, known: ScanMemory | undefined): OpenChain[] {
  return wallet.accounts.flatMap(({ kind }) =>
    ([0, 1] as const).map((chain) => {
      const before = known?.chains.find((each) => each.kind === kind && each.chain === chain);
      return { kind, chain, reports: [], next: 0, expected: before?.reports.length ?? 0 };
    }),
  );
}

/** Indexes of a chain that are to be asked for next. */
function listWanted(
  open: OpenChain,
  { gapLimit, maxAddresses }: Bounds,
): { open: OpenChain; index: number }[] {
  const from = open.reports.length;
  const end = from === 0 ? Math.max(gapLimit, open.expected) : open.next + gapLimit;
  if (end > from && from >= maxAddresses) {
    const detail = `More than ${maxAddresses} addresses of one chain are said to be used.`;
    throw new WalletError('scan_limit', detail);
  }
  const count = Math.max(Math.min(end, maxAddresses) - from, 0);
  return Array.from({ length: count }, (_, i) => ({ open, index: from + i }));
}

const PARALLEL_REQUESTS = 8;

/** @throws WalletError `answer_invalid` */
async function ask(
  reads: WalletReads,
  addresses: readonly string[],
  options: { signal?: AbortSignal },
): Promise<AddressReports> {
  if (reads.getAddresses !== undefined) {
    const answer = await reads.getAddresses(addresses, options);
    if (answer.reports.length === addresses.length) return answer;
    throw new WalletError('answer_invalid', 'The service told of other addresses than it was asked for.');
  }
  const reports: AddressReport[] = [];
  for (let i = 0; i < addresses.length; i += PARALLEL_REQUESTS) {
    options.signal?.throwIfAborted();
    const chunk = addresses.slice(i, i + PARALLEL_REQUESTS);
    reports.push(...(await Promise.all(chunk.map((address) => reads.getAddress(address, options)))));
  }
  return { reports, state: undefined };
}

/** Reads the rest of addresses with many outputs; gives whether anything was to be read. */
async function completeAll(
  chains: readonly OpenChain[],
  wallet: WatchWallet,
  reads: WalletReads,
  known: ScanMemory | undefined,
  options: { signal?: AbortSignal },
): Promise<boolean> {
  let isKnownGood: Promise<boolean> | undefined;
  let hasRead = false;
  for (const { kind, chain, reports } of chains) {
    const before = known?.chains.find((each) => each.kind === kind && each.chain === chain)?.reports;
    for (const [index, report] of reports.entries()) {
      if (report.utxos.next_cursor === null) continue;
      hasRead = true;
      isKnownGood ??= isInChain(known?.state, reads, options);
      reports[index] = await completeReport(report, deriveAddress(wallet, { kind, chain, index }).address, {
        reads,
        options,
        known: (await isKnownGood) ? before?.[index] : undefined,
      });
    }
  }
  return hasRead;
}

/** Whether a state's tip is still in the best chain: of what was known then, what a reorganisation undid is not known. */
async function isInChain(
  state: ChainState | undefined,
  { getBlockHash }: WalletReads,
  options: { signal?: AbortSignal },
): Promise<boolean> {
  if (state === undefined || getBlockHash === undefined) return false;
  return (await getBlockHash(state.height, options)) === state.tip;
}
