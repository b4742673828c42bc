import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import {
  applyTokenOperation,
  type PreparedSweep,
  type PreparedToken,
  type TokenChanges,
  type TokenOutcome,
  type TokenRecord,
  type TokenState,
} from '@coinfront/protocol/tokens/token-rules.ts';
import {
  applyTokenSweep,
  type HeldToken,
  MAX_SWEPT,
  type SweepOutcome,
} from '@coinfront/protocol/tokens/token-sweep.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import { openTipReads } from './tip-reads.ts';

/** The state of the tip with changes on top of it that are nowhere but here. */
export type StateOverlay = {
  /** The records that an operation depends on. */
  read(prepared: Pick<PreparedToken, 'tokenId' | 'holders'>): Promise<TokenState>;
  /** What a sweep depends on: the first tokens that its sender has, one more than it moves where there are more. */
  listHeld(prepared: Pick<PreparedSweep, 'sender' | 'recipient'>): Promise<HeldToken[]>;
  apply(changes: TokenChanges): void;
};

/** Opens the state of a snapshot. */
export function openStateOverlay({ reader }: ChainView): StateOverlay {
  const tip = openTipReads(reader);
  /** In the order in which they changed first, which of created ones is that of their creation. */
  const tokens = new Map<string, TokenRecord>();
  const balances = new Map<string, { tokenId: Uint8Array; script: Uint8Array; amount: bigint }>();
  const keyOf = (tokenId: Uint8Array, script: Uint8Array) => `${bytesToHex(tokenId)}:${bytesToHex(script)}`;
  const read: StateOverlay['read'] = async ({ tokenId, holders }) => {
    const indexed = await tip.findToken(tokenId);
    const amounts: bigint[] = [];
    for (const script of holders) {
      const changed = balances.get(keyOf(tokenId, script))?.amount;
      amounts.push(changed ?? (indexed ? await tip.findBalance(script, indexed.number) : 0n));
    }
    return { token: tokens.get(bytesToHex(tokenId)) ?? indexed, balances: amounts };
  };

  /** Tokens of which the script may have something: those that it has at the tip, then those that changed here. */
  const listCandidates = async (script: Uint8Array): Promise<Uint8Array[]> => {
    const changed = [...balances.values()].filter((each) => equalBytes(each.script, script));
    const gone = changed.filter(({ amount }) => amount === 0n).length;
    const numbers = new Set(await tip.listHeld(script, MAX_SWEPT + 1 + gone));
    const created: Uint8Array[] = [];
    for (const { tokenId } of changed) {
      const indexed = await tip.findToken(tokenId);
      if (indexed === undefined) created.push(tokenId);
      else numbers.add(indexed.number);
    }
    const candidates: Uint8Array[] = [];
    for (const number of [...numbers].sort((a, b) => a - b))
      candidates.push((await tip.findNumberedToken(number))!.tokenId);
    const order = [...tokens.keys()];
    const placeOf = (tokenId: Uint8Array): number => order.indexOf(bytesToHex(tokenId));
    return [...candidates, ...created.sort((a, b) => placeOf(a) - placeOf(b))];
  };

  return {
    read,
    async listHeld({ sender, recipient }) {
      const held: HeldToken[] = [];
      for (const tokenId of await listCandidates(sender)) {
        if (balances.get(keyOf(tokenId, sender))?.amount === 0n) continue;
        const { token, balances: both } = await read({ tokenId, holders: [sender, recipient] });
        const [amount, recipientAmount] = both as [bigint, bigint];
        if (amount > 0n) held.push({ token: token!, amount, recipientAmount });
        if (held.length > MAX_SWEPT) break;
      }
      return held;
    },
    apply({ token, balances: changed }) {
      const { tokenId } = token;
      tokens.set(bytesToHex(tokenId), token);
      for (const { script, amount } of changed)
        balances.set(keyOf(tokenId, script), { tokenId, script, amount });
    },
  };
}

/** An operation that may be judged on a state. */
export type Judgeable =
  | { kind: 'operation'; prepared: PreparedToken }
  | { kind: 'sweep'; prepared: PreparedSweep };

/** The verdict of the rules on an operation, on a state. */
export async function judgeOn(state: StateOverlay, judged: Judgeable): Promise<TokenOutcome | SweepOutcome> {
  return judged.kind === 'sweep'
    ? applyTokenSweep(judged.prepared, await state.listHeld(judged.prepared))
    : applyTokenOperation(judged.prepared, await state.read(judged.prepared));
}
