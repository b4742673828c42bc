/** Credits a gift that no intent had to the contributor for whom one of its senders has signed. */

import type { ClaimBody, ClaimedJson } from '@coinfront/api/treasury.ts';
import { decodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { equalBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { hashClaimSecret, writeGiftClaimText } from '@coinfront/protocol/treasury/gift-claim.ts';
import type { Static } from 'typebox';
import { AppError } from '../../../errors.ts';
import { findCoin } from '../ledger/coin-store.ts';
import { findLastSeal } from '../ledger/seal-store.ts';
import type { ContributorTable, TreasuryTables } from '../schema/treasury-tables.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { insertAssignment } from './assignment-store.ts';

/**
 * Takes the claim. The entry is written by who follows the chain.
 *
 * @throws AppError `gift_not_found`, `outpoint_used`, `claim_invalid`
 */
export async function claimGift(
  context: TreasuryContext,
  contributor: ContributorTable,
  { txid: given, vout, address, signature, contributor_secret }: Static<typeof ClaimBody>,
): Promise<ClaimedJson> {
  const { precious, profile, now } = context;
  const txid = given.toLowerCase();
  const db = precious.query<TreasuryTables>();
  const coin = await findCoin(db, txid, vout);
  const seal = await findLastSeal(db);
  if (
    coin === undefined ||
    seal === undefined ||
    (coin.kind !== 'unattributed' && coin.kind !== 'contribution')
  )
    throw new AppError(
      'gift_not_found',
      `The ledger has no gift ${txid}:${vout}; what is in the mempool has to be mined first.`,
    );
  const answer = (state: ClaimedJson['state']): ClaimedJson => ({
    ...{ txid, vout, contributor_id: contributor.id, state },
    amount: formatAmount(BigInt(coin.value), profile.decimals),
  });
  if (coin.kind === 'contribution') {
    if (coin.contributor_id === contributor.id) return answer('credited');
    throw new AppError('outpoint_used', 'The gift is the contribution of another contributor.');
  }
  await checkSender(context, txid, address);
  const text = writeGiftClaimText({
    network: profile.genesisHash,
    serviceKey: seal.service_key,
    txid,
    vout,
    contributorId: contributor.id,
    secretHash: hashClaimSecret(contributor_secret),
  });
  const verdict = verifySignedMessage(address, text, signature, profile);
  if (!verdict.ok) {
    throw new AppError(
      'claim_invalid',
      `The signature, over the text of version 2 with the service ${seal.service_key}: ${verdict.reason}.`,
    );
  }
  const row = { txid, vout, contributor_id: contributor.id, assigned_by: 'claim' as const };
  const held = await precious.transaction<TreasuryTables, { contributor_id: string }>((trx) =>
    insertAssignment(trx, { ...row, address, signature, made_at: now() }),
  );
  if (held.contributor_id !== contributor.id)
    throw new AppError('outpoint_used', 'The gift is the contribution of another contributor.');
  return answer('accepted');
}

/** Whether an input of the transaction spends from the address. */
async function checkSender(
  { readChain, profile }: TreasuryContext,
  txid: string,
  address: string,
): Promise<void> {
  const decoded = decodeAddress(address, profile);
  if (!decoded.ok) throw new AppError('claim_invalid', `"address": ${decoded.reason}.`);
  const isSender = await readChain(async (view) => {
    const record = await view.findTx(getValue(parseDisplayHash(txid)));
    const prevouts = record === undefined ? [] : await view.listPrevouts(record);
    return prevouts.some(
      (prevout) => prevout !== undefined && equalBytes(prevout.script, decoded.value.script),
    );
  });
  if (!isSender) throw new AppError('claim_invalid', `No input of ${txid} spends from ${address}.`);
}
