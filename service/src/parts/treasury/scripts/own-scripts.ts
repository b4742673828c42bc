/** The scripts of the treasury's wallet: that of its address, and those of the addresses that get its change. */

import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile, TreasuryProfile } from '@coinfront/protocol/profile.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { ChainView } from '../../../chain/chain-view.ts';
import { readWalletScripts, type WalletBranch } from '../../../wallets/wallet-scripts.ts';
import { MOST_INDEXES } from './account-end.ts';

/** What is the treasury's, as the rules see it. */
export type OwnScripts = {
  isMain(script: Uint8Array): boolean;
  has(script: Uint8Array): boolean;
};

/** What is the treasury's in one state of the chain. */
export type FoundScripts = OwnScripts & {
  /** Hex: those that the chain has paid, main first where it has. */
  readonly used: readonly string[];
};

/** Looks which scripts are the treasury's; `known` are those that the ledger covers already, hex. */
export type FindOwnScripts = (view: ChainView, known: readonly string[]) => Promise<FoundScripts>;

type Branch = { derive: WalletBranch; scripts: string[]; used: number };

/** Opens the search; a reason says why the account of the profile cannot be read. */
export function createFindOwnScripts(
  profile: CoinProfile,
  treasury: TreasuryProfile,
): Result<FindOwnScripts> {
  const main = bytesToHex(treasury.script);
  const others = treasury.otherScripts.map(bytesToHex);
  const branches: Branch[] = [];
  if (treasury.account !== undefined) {
    const wallet = readWalletScripts(treasury.account.key, undefined, profile);
    if (!wallet.ok) return fail(`treasury.account.key: ${wallet.reason}`);
    for (const derive of wallet.value.branches) branches.push({ derive, scripts: [], used: 0 });
  }
  const gap = treasury.account?.gapLimit ?? 0;
  return ok(async (view, known) => {
    for (const branch of branches) await extend(view, branch, gap);
    const derived = branches.flatMap(({ scripts }) => scripts);
    const all = new Set([main, ...others, ...known, ...derived]);
    const unused = new Set(branches.flatMap(({ scripts, used }) => scripts.slice(used)));
    const used: string[] = [];
    for (const script of all) {
      if (!unused.has(script) && (await isUsed(view, script))) used.push(script);
    }
    return { ...ownScripts(main, all), used };
  });
}

/** What is the treasury's, of a list in hex. */
export function ownScripts(main: string, all: Iterable<string>): OwnScripts {
  const set = new Set([main, ...all]);
  return {
    isMain: (script) => bytesToHex(script) === main,
    has: (script) => set.has(bytesToHex(script)),
  };
}

/** Derives until as many as the gap limit are behind the last one that was used. What was used once stays so. */
async function extend(view: ChainView, branch: Branch, gap: number): Promise<void> {
  for (let index = branch.used; index < Math.min(branch.used + gap, MOST_INDEXES); index++) {
    branch.scripts[index] ??= bytesToHex(branch.derive.scriptAt(index));
    if (await isUsed(view, branch.scripts[index]!)) branch.used = index + 1;
  }
}

async function isUsed(view: ChainView, script: string): Promise<boolean> {
  return (await view.getScriptStats(getHexBytes(script))).txCount > 0;
}
