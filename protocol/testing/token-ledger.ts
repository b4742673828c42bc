import { bytesToHex } from '../bytes.ts';
import { scriptHash } from '../canonical.ts';
import { hashState } from '../hash-chain.ts';
import type { PlacedTransaction } from '../operation.ts';
import { balanceStateRow, encodeTokenEvent, tokenStateRow } from '../tokens/token-canonical.ts';
import type { TokenReason } from '../tokens/token-reasons.ts';
import {
  applyTokenOperation,
  type PreparedSweep,
  prepareTokenOperation,
  type TokenBalance,
  type TokenChanges,
  type TokenContext,
  type TokenEvent,
  type TokenRecord,
} from '../tokens/token-rules.ts';
import { applyTokenSweep } from '../tokens/token-sweep.ts';
import { createHashLog, createJournal } from './ledger.ts';

/** What became of one transaction that carries a token payload. */
export type TokenEntry =
  | { position: number; event: TokenEvent; bytes: Uint8Array }
  | { position: number; reason: TokenReason };

/** A balance and the token that it is of. */
export type HeldBalance = TokenBalance & { tokenId: Uint8Array };

/** The tokens of a chain in memory: the rules and nothing else, for suites to compare the service with. */
export type TokenLedger = {
  /** Applies the transactions of one block, in their order; every block from the activation on must come. */
  connectBlock(blockHash: Uint8Array, transactions: readonly PlacedTransaction[]): TokenEntry[];
  disconnectBlock(): void;
  findToken(tokenId: Uint8Array): TokenRecord | undefined;
  balanceOf(tokenId: Uint8Array, script: Uint8Array): bigint;
  listTokens(): TokenRecord[];
  listBalances(): HeldBalance[];
  chainHash(): Uint8Array;
  stateHash(): Uint8Array;
};

/** Creates a chain without tokens. */
export function createTokenLedger(context: TokenContext): TokenLedger {
  const journal = createJournal();
  const tokens = journal.createMap<TokenRecord>();
  const balances = journal.createMap<HeldBalance>();
  /** Where each token was created, by its id. */
  const places = journal.createMap<{ height: number; position: number }>();
  const hashes = createHashLog();
  const keyOf = (tokenId: Uint8Array, script: Uint8Array) => `${bytesToHex(tokenId)}:${bytesToHex(script)}`;
  const balanceOf = (tokenId: Uint8Array, script: Uint8Array): bigint =>
    balances.get(keyOf(tokenId, script))?.amount ?? 0n;

  const write = ({ token, balances: changed }: TokenChanges): void => {
    const { tokenId } = token;
    tokens.set(bytesToHex(tokenId), token);
    for (const { script, amount } of changed)
      balances.set(keyOf(tokenId, script), amount === 0n ? undefined : { tokenId, script, amount });
  };

  const judgeSweep = (placed: PlacedTransaction, prepared: PreparedSweep): TokenEntry => {
    const placeOf = ({ tokenId }: TokenRecord) => places.get(bytesToHex(tokenId))!;
    const held = tokens
      .values()
      .map((token) => ({
        token,
        amount: balanceOf(token.tokenId, prepared.sender),
        recipientAmount: balanceOf(token.tokenId, prepared.recipient),
      }))
      .filter(({ amount }) => amount > 0n)
      .sort((a, b) => {
        const [first, second] = [placeOf(a.token), placeOf(b.token)];
        return first.height - second.height || first.position - second.position;
      });
    const outcome = applyTokenSweep(prepared, held);
    if (!outcome.ok) return { position: placed.position, reason: outcome.reason };
    outcome.changes.forEach(write);
    return {
      position: placed.position,
      event: outcome.event,
      bytes: encodeTokenEvent(placed, outcome.event),
    };
  };

  const judge = (placed: PlacedTransaction): TokenEntry | undefined => {
    const { position } = placed;
    const read = prepareTokenOperation(placed, context);
    if (read.kind === 'none') return undefined;
    if (read.kind === 'invalid') return { position, reason: read.reason };
    if (read.kind === 'sweep') return judgeSweep(placed, read.prepared);
    const { tokenId, holders } = read.prepared;
    const outcome = applyTokenOperation(read.prepared, {
      token: tokens.get(bytesToHex(tokenId)),
      balances: holders.map((script) => balanceOf(tokenId, script)),
    });
    if (!outcome.ok) return { position, reason: outcome.reason };
    if (outcome.event.kind === 'create') places.set(bytesToHex(tokenId), { height: placed.height, position });
    write(outcome.changes);
    return { position, event: outcome.event, bytes: encodeTokenEvent(placed, outcome.event) };
  };

  return {
    connectBlock(blockHash, transactions) {
      journal.begin();
      const entries = transactions.map(judge).filter((entry) => entry !== undefined);
      hashes.connect(
        blockHash,
        entries.flatMap((entry) => ('bytes' in entry ? [entry.bytes] : [])),
      );
      return entries;
    },
    disconnectBlock() {
      journal.undo();
      hashes.disconnect();
    },
    findToken: (tokenId) => tokens.get(bytesToHex(tokenId)),
    balanceOf,
    listTokens: () => tokens.values(),
    listBalances: () => balances.values(),
    chainHash: hashes.chain,
    stateHash: () =>
      hashState([
        ...tokens.values().map(tokenStateRow),
        ...balances
          .values()
          .map(({ tokenId, script, amount }) => balanceStateRow(tokenId, scriptHash(script), amount)),
      ]),
  };
}
