import { writeTokenEvent } from '@coinfront/protocol/tokens/token-canonical.ts';
import type { TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import type { PreparedSweep } from '@coinfront/protocol/tokens/token-rules.ts';
import { applyTokenSweep, MAX_SWEPT } from '@coinfront/protocol/tokens/token-sweep.ts';
import { getHolder, type Holder } from './token-holders.ts';
import { type OpenToken, openSlots, openTokens, type Run } from './token-run.ts';
import { activityTable, sweptTable, tokenNumberTable } from './token-tables.ts';

/** A token that a sweep may move, with the balances of both that it is about. */
type Swept = { token: OpenToken; holders: readonly [sender: Holder, recipient: Holder] };

/**
 * Applies a sweep. What it moves is read for it alone: which tokens these are hangs on all operations before it.
 *
 * @param holders its sender and its recipient
 * @returns why it is invalid; undefined when it is valid, and was applied
 */
export async function connectSweep(
  run: Run,
  txId: number,
  prepared: PreparedSweep,
  holders: readonly Holder[],
): Promise<TokenReason | undefined> {
  const { writer, balances, counts, events } = run;
  const held = await openHeld(run, holders);
  const outcome = applyTokenSweep(
    prepared,
    held.map(({ token, holders: [sender, recipient] }) => ({
      token: token.record!,
      amount: balances.get(sender.slot),
      recipientAmount: balances.get(recipient.slot),
    })),
  );
  if (!outcome.ok) return outcome.reason;
  const { changes, event } = outcome;
  for (const [i, { token: record, balances: changed }] of changes.entries()) {
    const { token, holders: own } = held[i]!;
    const place = token.place!;
    counts.holders += record.holders - token.record!.holders;
    token.record = record;
    token.txIds.push(txId);
    place.events++;
    for (const { script, amount } of changed) {
      balances.set(getHolder(own, script).slot, amount);
    }
    writer.append(sweptTable, { tx_id: txId, token_number: place.number, amount: event.moved[i]!.amount });
  }
  const { number } = held[0]!.token.place!;
  for (const { id } of holders)
    writer.append(activityTable, { script_id: id, tx_id: txId, token_number: number });
  counts.sweeps++;
  events.add((bytes) =>
    writeTokenEvent(bytes, prepared.placed, event, (script) => getHolder(holders, script).hash),
  );
  return undefined;
}

/** The first tokens that the sender has, as many as a sweep moves. */
async function openHeld(run: Run, [sender, recipient]: readonly Holder[]): Promise<Swept[]> {
  const { writer, balances } = run;
  const numbers = await balances.list(sender!.id, MAX_SWEPT);
  const cells = await writer.open(
    tokenNumberTable,
    numbers.filter((number) => !run.created.has(number)).map((number) => [number]),
  );
  const tokens = await openTokens(
    run,
    cells.map(({ row }) => row!.token_id as Uint8Array),
  );
  let next = 0;
  const held = numbers.map((number): Swept => {
    const token = run.created.get(number) ?? tokens[next++]!;
    return { token, holders: [{ ...sender! }, { ...recipient! }] };
  });
  await openSlots(
    balances,
    held.flatMap(({ holders }) => holders),
    numbers.flatMap((number) => [number, number]),
  );
  return held;
}
