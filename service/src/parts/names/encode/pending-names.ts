/** Operations of names in the mempool, found by the scripts that they touch. */

import { equalBytes } from '@coinfront/protocol/bytes.ts';
import {
  describeNamePayload,
  type NamePayloadFacts,
} from '@coinfront/protocol/names/describe-name-payload.ts';
import type { NameRules } from '@coinfront/protocol/profile.ts';
import { type ChainView, parseStored } from '../../../chain/chain-reads.ts';

/** Transactions of the mempool that are looked at. */
const MAX_LOOKED = 100;

/** Whether a transaction in the mempool registers this name: it pays the registry's fee script. */
export async function hasPendingRegister(view: ChainView, name: string, rules: NameRules): Promise<boolean> {
  for await (const facts of listPending(view, rules.feeScript, rules)) {
    if (facts.kind === 'register' && facts.name === name) return true;
  }
  return false;
}

/** Whether a transaction of the owner in the mempool commits to this. */
export async function hasPendingCommit(
  view: ChainView,
  owner: Uint8Array,
  commitment: Uint8Array,
  rules: NameRules,
): Promise<boolean> {
  for await (const facts of listPending(view, owner, rules)) {
    if (facts.kind === 'commit' && facts.commitment && equalBytes(facts.commitment, commitment)) return true;
  }
  return false;
}

async function* listPending(
  view: ChainView,
  script: Uint8Array,
  rules: NameRules,
): AsyncGenerator<NamePayloadFacts> {
  for (const { txid } of await view.listMempoolHistory(script, undefined, MAX_LOOKED)) {
    const record = await view.findTx(txid);
    const facts = record && describeNamePayload(parseStored(record), rules, (view.tip?.height ?? 0) + 1);
    if (facts) yield facts;
  }
}
