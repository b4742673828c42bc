/** What owners are told, each in the transaction of what it tells: so nothing is told twice, and nothing is lost. */

import type { Receipt } from '@coinfront/protocol/registry/receipt.ts';
import { uptimePpm } from '../rewards/reward-parts.ts';
import { type EpochRules, shareRewards } from '../rewards/reward-rules.ts';
import { listEpochNodes } from '../rewards/verdict-store.ts';
import type { RegistryQuery } from '../schema/registry-tables.ts';
import { addAlert, listReceivers, updateReceiver } from './alert-store.ts';

/** What a slot said of a node. */
export type ToldVerdict = Pick<Receipt, 'verdict' | 'reason' | 'sequence' | 'epoch' | 'endpoint'> & {
  nodeKey: string;
};

/** Tells owners whose nodes fail now and did not before, or the other way round. Void slots say nothing. */
export async function tellVerdicts(
  trx: RegistryQuery,
  verdicts: readonly ToldVerdict[],
  nowMs: number,
): Promise<void> {
  const receivers = await listReceivers(
    trx,
    verdicts.map(({ nodeKey }) => nodeKey),
  );
  for (const receiver of receivers) {
    const { nodeKey, verdict, reason, sequence, epoch, endpoint } = verdicts.find(
      (each) => each.nodeKey === receiver.node_key,
    )!;
    if (verdict === 'void') continue;
    const isFailing = verdict === 'fail' ? 1 : 0;
    if (Number(receiver.is_failing) === isFailing) continue;
    await updateReceiver(trx, nodeKey, { is_failing: isFailing });
    const type = verdict === 'fail' ? 'node.failed' : 'node.recovered';
    await addAlert(trx, receiver, { type, data: { reason, endpoint, receipt: sequence, epoch } }, nowMs);
  }
}

/** Tells owners whose nodes are not looked at any more. */
export async function tellEnds(
  trx: RegistryQuery,
  nodeKeys: readonly string[],
  type: 'node.lapsed' | 'node.displaced',
  nowMs: number,
): Promise<void> {
  for (const receiver of await listReceivers(trx, nodeKeys))
    await addAlert(trx, receiver, { type, data: {} }, nowMs);
}

/** Tells owners whose nodes have no part in the rewards of an epoch that is closed, unless they had none in the one before. */
export async function tellEligibility(
  trx: RegistryQuery,
  epoch: number,
  rules: EpochRules,
  nowMs: number,
): Promise<void> {
  const receivers = await listReceivers(trx);
  if (receivers.length === 0) return;
  const shares = shareRewards(await listEpochNodes(trx, epoch), 0n, { ...rules, requireProof: true });
  const byKey = new Map(shares.map((share) => [share.nodeKey, share]));
  for (const receiver of receivers) {
    const { node_key, was_eligible } = receiver;
    const share = byKey.get(node_key);
    const eligibility = share?.eligibility ?? 'not_judged';
    const isEligible = eligibility === 'eligible' ? 1 : 0;
    if (was_eligible !== null && Number(was_eligible) === isEligible) continue;
    await updateReceiver(trx, node_key, { was_eligible: isEligible });
    if (isEligible === 1) continue;
    const uptime_ppm = share === undefined ? null : (share.uptimePpm ?? uptimePpm(share) ?? null);
    await addAlert(
      trx,
      receiver,
      { type: 'node.ineligible', data: { epoch, eligibility, uptime_ppm } },
      nowMs,
    );
  }
}
