import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type {
  PreparedToken,
  TokenChanges,
  TokenRecord,
  TokenState,
} from '@coinfront/protocol/tokens/token-rules.ts';
import type { Reader } from '../../db/database.ts';
import { sha256 } from '../../indexer/hashes.ts';
import { findBalance, findToken } from './token-store.ts';

/** The state of the tip with changes on top of it that are nowhere but here. */
export type StateOverlay = {
  /** The records that an operation depends on. */
  read(prepared: Pick<PreparedToken, 'tokenId' | 'holders'>): Promise<TokenState>;
  apply(changes: TokenChanges): void;
};

/** Opens the state of a snapshot. */
export function openStateOverlay(reader: Reader): StateOverlay {
  const tokens = new Map<string, TokenRecord>();
  const balances = new Map<string, bigint>();
  const keyOf = (tokenId: Uint8Array, script: Uint8Array) => `${bytesToHex(tokenId)}:${bytesToHex(script)}`;
  return {
    async read({ tokenId, holders }) {
      const amounts: bigint[] = [];
      for (const script of holders) {
        amounts.push(
          balances.get(keyOf(tokenId, script)) ?? (await findBalance(reader, tokenId, sha256(script))),
        );
      }
      const token = tokens.get(bytesToHex(tokenId)) ?? (await findToken(reader, tokenId));
      return { token, balances: amounts };
    },
    apply({ token, balances: changed }) {
      tokens.set(bytesToHex(token.tokenId), token);
      for (const { script, amount } of changed) balances.set(keyOf(token.tokenId, script), amount);
    },
  };
}
