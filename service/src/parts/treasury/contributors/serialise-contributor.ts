import type { MeJson, ProfileJson } from '@coinfront/api/treasury.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { intentState } from '../intents/intent-rules.ts';
import type { OwnCoin } from '../ledger/coin-store.ts';
import type {
  CoinTable,
  ContributorTable,
  CursorTable,
  IntentTable,
  StandingTable,
} from '../schema/treasury-tables.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { writeTime } from '../write-time.ts';

/** Shown for who does not want to be shown. */
const ANONYMOUS = 'Anonymous';

/** What a contributor sees of itself in each of its answers. */
export function describeContributor({ id, nickname, is_public, created_at }: ContributorTable) {
  return { id, nickname, public_display: is_public === 1, created_at: writeTime(created_at) };
}

/** A contributor with what the operator did to it. */
export function serialiseProfile(row: ContributorTable): ProfileJson {
  return { ...describeContributor(row), hidden_by_operator: row.hidden_at !== null };
}

/** A contributor as everybody sees it. */
export function displayOf(
  row: Pick<ContributorTable, 'id' | 'nickname' | 'is_public' | 'hidden_at'> | undefined,
): { id: string | null; name: string } {
  if (row === undefined || row.is_public !== 1 || row.hidden_at !== null)
    return { id: null, name: ANONYMOUS };
  return { id: row.id, name: row.nickname ?? row.id };
}

/** The tip that the ledger is kept up to, as bodies name it. */
export function describeCursor(cursor: CursorTable | undefined): { height: number; hash: string } | null {
  return cursor === undefined || cursor.height < 0 ? null : { height: cursor.height, hash: cursor.hash };
}

/** An intent as its contributor sees it. */
export function describeIntent(
  row: IntentTable,
  coins: readonly CoinTable[],
  { profile, now }: Pick<TreasuryContext, 'profile' | 'now'>,
) {
  const amount = (text: string) => formatAmount(BigInt(text), profile.decimals);
  const terms = { expiresAtMs: row.expires_at, closesAtMs: row.closes_at };
  const verified = coins.map(({ verified_at }) => ({ isVerified: verified_at !== null }));
  return {
    id: row.id,
    state: intentState(terms, verified, now()),
    requested_amount: amount(row.requested),
    exact_amount: row.exact_amount === null ? null : amount(row.exact_amount),
    tag: row.tag,
    created_at: writeTime(row.created_at),
    expires_at: writeTime(row.expires_at),
    closes_at: writeTime(row.closes_at),
  };
}

type Account = {
  row: ContributorTable;
  cursor: CursorTable | undefined;
  standing: StandingTable | undefined;
  coins: readonly OwnCoin[];
  intents: readonly IntentTable[];
  coinsOfIntents: ReadonlyMap<string, readonly CoinTable[]>;
  /** Sum of what waits for confirmations, in base units. */
  confirming: bigint;
};

/** All that a contributor sees of itself. */
export function serialiseAccount(account: Account, context: TreasuryContext): MeJson {
  const { row, cursor, standing, coins, intents, coinsOfIntents } = account;
  const amount = (value: bigint) => formatAmount(value, context.profile.decimals);
  return {
    ...serialiseProfile(row),
    as_of: describeCursor(cursor),
    verified_total: amount(BigInt(standing?.total ?? '0')),
    confirming_total: amount(account.confirming),
    contributions: coins.map((coin) => ({
      sequence: coin.sequence,
      txid: coin.txid,
      vout: coin.vout,
      amount: amount(BigInt(coin.value)),
      intent_id: coin.intent_id,
      assigned_by: coin.assigned_by,
      late: coin.late === 1,
      height: coin.height,
      block_hash: coin.block_hash,
      confirmations: (cursor?.height ?? coin.height) - coin.height + 1,
      verified: coin.verified_at !== null,
    })),
    intents: intents.map((intent) => describeIntent(intent, coinsOfIntents.get(intent.id) ?? [], context)),
  };
}
