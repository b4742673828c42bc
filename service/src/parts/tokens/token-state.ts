import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type {
  PreparedToken,
  TokenChanges,
  TokenRecord,
  TokenState,
} from '@coinfront/protocol/tokens/token-rules.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import type { Reader } from '../../db/database.ts';
import { findBalance, findScriptNumber, findToken } from './token-store.ts';

/** The state of the tip with changes on top of it that are nowhere but here. */
export type StateOverlay = {
  /** The records that an operation depends on. */
  read(prepared: Pick<PreparedToken, 'tokenId' | 'holders'>): Promise<TokenState>;
  apply(changes: TokenChanges): void;
};

/** Opens the state of a snapshot. */
export function openStateOverlay(view: ChainView): StateOverlay {
  const tokens = new Map<string, TokenRecord>();
  const balances = new Map<string, bigint>();
  const keyOf = (tokenId: Uint8Array, script: Uint8Array) => `${bytesToHex(tokenId)}:${bytesToHex(script)}`;
  return {
    async read({ tokenId, holders }) {
      const indexed = await findToken(view.reader, tokenId);
      const amounts: bigint[] = [];
      for (const script of holders) {
        const changed = balances.get(keyOf(tokenId, script));
        amounts.push(changed ?? (indexed ? await findBalanceOf(view.reader, script, indexed.number) : 0n));
      }
      return { token: tokens.get(bytesToHex(tokenId)) ?? indexed, balances: amounts };
    },
    apply({ token, balances: changed }) {
      tokens.set(bytesToHex(token.tokenId), token);
      for (const { script, amount } of changed) balances.set(keyOf(token.tokenId, script), amount);
    },
  };
}

async function findBalanceOf(reader: Reader, script: Uint8Array, tokenNumber: number): Promise<bigint> {
  const scriptId = await findScriptNumber(reader, script);
  return scriptId === undefined ? 0n : await findBalance(reader, scriptId, tokenNumber);
}
