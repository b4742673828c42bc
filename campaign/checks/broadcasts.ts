import type { BroadcastPromise } from '../promises/record.ts';
import { sendToBroadcast } from '../work/do-work.ts';
import { type Checked, need } from './checked.ts';

/** So deep that no reorganisation of a campaign takes it back. */
const BURIED = 60;
/** What the node says of a transaction whose coins another one has taken, or whose parents are lost with another one. */
const TAKEN = ['missing_inputs', 'mempool_conflict', 'mempool_chain_too_long', 'replacement_fee_too_low'];

/** Sends again what got no answer: a repeated broadcast is answered like the first. */
export async function repeatBroadcasts({ rig, record, truth }: Checked): Promise<string[]> {
  const problems: string[] = [];
  for (const promise of record.openBroadcasts.splice(0)) {
    const answer = await sendToBroadcast(rig, record, promise);
    if (answer?.status === 200) continue;
    const code: string | undefined = answer?.json?.code;
    const isKnown = truth.findHeight(promise.txid) !== undefined || truth.isInMempool(promise.txid);
    if (isKnown || !code || !TAKEN.includes(code))
      problems.push(
        `the broadcast of ${promise.txid}, repeated, is answered ${answer?.status} ${answer?.text}`,
      );
  }
  return problems;
}

/**
 * What was answered with 200 is with the node, unless the node lost it: then it can be broadcast again, or others have taken its coins.
 *
 * @param mayBeLost the node was killed, which empties its mempool, or has left blocks, of whose transactions it keeps not all
 */
export async function checkBroadcasts(
  { rig, record, truth }: Checked,
  mayBeLost: boolean,
): Promise<string[]> {
  const problems: string[] = [];
  for (const promise of record.broadcasts.values()) {
    const { txid } = promise;
    const height = truth.findHeight(txid);
    if (height !== undefined && truth.height() - height > BURIED) {
      record.broadcasts.delete(txid);
      continue;
    }
    if (height !== undefined || truth.isInMempool(txid)) promise.isDropped = false;
    else if (!promise.isDropped) problems.push(...(await offerAgain(rig, record, promise, mayBeLost)));
  }
  return problems;
}

async function offerAgain(
  rig: Checked['rig'],
  record: Checked['record'],
  promise: BroadcastPromise,
  mayBeLost: boolean,
): Promise<string[]> {
  if (!mayBeLost) return [`${promise.txid} was answered with 200, and the node does not have it`];
  const answer = await sendToBroadcast(rig, record, promise);
  if (answer?.status === 200) return [];
  if (!TAKEN.includes(answer?.json?.code))
    return [`${promise.txid} was lost by the node and is answered ${answer?.status} ${answer?.text}`];
  promise.isDropped = true;
  return [];
}

type ShownProof = { state: string; primary: { txid: string; height: number } | null };

/** The state of each digest is that of the transactions that carry it. */
export async function checkProofs({ rig, record, truth, isFull }: Checked): Promise<string[]> {
  const anchors = [...record.broadcasts.values()].filter(({ digest }) => digest !== undefined);
  const problems: string[] = [];
  for (const { digest, txid } of isFull ? anchors : anchors.slice(-2)) {
    const path = `/api/v1/proof/lookup/${digest}`;
    const { state, primary }: ShownProof = need(path, await rig.client.get(path));
    const height = truth.findHeight(txid);
    const wanted =
      height === undefined
        ? [truth.isInMempool(txid) ? 'mempool' : 'unknown', undefined, undefined]
        : [truth.height() - height + 1 >= 6 ? 'final' : 'confirmed', txid, height];
    const found = [state, primary?.txid, primary?.height];
    if (found.join() !== wanted.join())
      problems.push(`proof of ${digest} is shown as ${found}, not ${wanted}`);
  }
  return problems;
}
