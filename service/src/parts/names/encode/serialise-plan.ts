import { type EncodedNameJson, nameWarnings } from '@coinfront/api/name-encode.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { NAME_REASONS, type NameReason } from '@coinfront/protocol/names/name-reasons.ts';
import type { NameState } from '@coinfront/protocol/names/name-rules.ts';
import type { BlockRecord, ChainView } from '../../../chain/chain-view.ts';
import { describeAsOf } from '../../../http/snapshot.ts';
import { prepareEncoded } from '../../../unsigned/prepare-encoded.ts';
import type { Sender } from '../../../unsigned/read-sender.ts';
import type { NameRouteContext } from '../name-context.ts';
import { describeMoment, describeParty } from '../serialise-name.ts';
import { judgePlan, type NamePlan } from './name-plan.ts';

/** Why the next block cannot have a plan, and which one can. */
function explain({ earliest }: NamePlan, reason: NameReason | undefined): string {
  const why = reason === undefined ? nameWarnings.registry_inactive : NAME_REASONS[reason];
  return earliest === undefined ? why : `${why} As things stand block ${earliest} can have it.`;
}

/** A plan as it is answered, with the verdict on it in the next block, and with a transaction when there is a sender. */
export async function serialisePlan(
  view: ChainView,
  tip: BlockRecord,
  plan: NamePlan,
  state: NameState,
  { sender, isForced }: { sender: Sender | undefined; isForced: boolean },
  context: NameRouteContext,
): Promise<EncodedNameJson> {
  const { profile } = context;
  const amount = (value: bigint) => formatAmount(value, profile.decimals);
  const moment = async (height: number | undefined) =>
    height === undefined ? null : await describeMoment(view, tip, height, profile);
  const verdict = judgePlan(plan, tip.height + 1, state, context);
  const invalidBecause = verdict && !verdict.valid ? explain(plan, verdict.reason) : undefined;
  const request = { sender, outputs: plan.outputs, invalidBecause, isForced };
  const { fields } = await prepareEncoded(view, request, profile);
  const { cost } = plan;
  return {
    as_of: describeAsOf(tip),
    operation: plan.operation.kind,
    name: plan.name?.name ?? null,
    commitment: plan.commitment ? bytesToHex(plan.commitment) : null,
    records_hash: plan.operation.kind === 'records' ? bytesToHex(plan.operation.hash) : null,
    payload: bytesToHex(plan.payload),
    script: bytesToHex(plan.outputs[0]!.script),
    sender: plan.sender ? describeParty(plan.sender, profile) : null,
    outputs: plan.outputs.map(({ purpose, script, value }) => ({
      purpose,
      script: bytesToHex(script),
      address: encodeAddress(script, profile) ?? null,
      amount: amount(value),
    })),
    cost: cost
      ? {
          per_period: amount(cost.perPeriod),
          periods: cost.periods,
          premium: amount(cost.premium),
          total: amount(cost.total),
        }
      : null,
    earliest: await moment(plan.earliest),
    latest: await moment(plan.latest),
    next_block: verdict ? { valid: verdict.valid, reason: verdict.reason ?? null } : null,
    warnings: plan.warnings.map((code) => ({ code, text: nameWarnings[code] })),
    ...fields,
  };
}
