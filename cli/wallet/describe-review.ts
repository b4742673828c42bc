import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { PayloadDescription } from '@coinfront/sdk/wallet/describe-payload.ts';
import type { Network } from '@coinfront/sdk/wallet/network.ts';
import type { ReviewedOutput, TransactionReview } from '@coinfront/sdk/wallet/review-transaction.ts';
import { addressPath } from '@coinfront/sdk/wallet/wallet-address.ts';
import { showCoins, showCount } from './amounts.ts';

/** Lock times from here on are Unix seconds, below it heights. */
const FIRST_LOCK_SECONDS = 500_000_000;

/** What a signature would do, for a person: every output, the fee and its rate, and what leaves the wallet. */
export function showReview(review: TransactionReview, network: Network): string[] {
  const { inputs, outputs, sent, fee, vsize, feeRatePerKvb } = review;
  const spent = inputs.reduce((sum, { value }) => sum + value, 0n);
  return [
    `spends   ${showCount(inputs.length, 'coin')} of ${showCoins(spent, network)}, the first of ${inputs[0]!.owner.address}`,
    ...outputs.map((output) => showOutput(output, network)),
    `fee      ${showCoins(fee, network)} for ${vsize} vB: ${showRate(feeRatePerKvb)} base units a vB`,
    `leaves   ${showCoins(sent + fee, network)} leave the wallet`,
    ...showLocks(review),
  ];
}

/** What keeps a transaction from being mined now: it may be sent when nobody thinks of it any more. */
function showLocks({ lockTime, waitsForAge }: TransactionReview): string[] {
  const moment =
    lockTime < FIRST_LOCK_SECONDS ? `block ${lockTime}` : new Date(lockTime * 1_000).toISOString();
  return [
    ...(lockTime === 0 ? [] : [`waits    it can be mined after ${moment} only`]),
    ...(waitsForAge ? ['waits    it can be mined only once its coins are older'] : []),
  ];
}

function showOutput(output: ReviewedOutput, network: Network): string {
  const { kind, value, address, owner, script, payload } = output;
  if (payload !== undefined) {
    const burned = value > 0n ? `, with ${showCoins(value, network)} that are lost` : '';
    return `data     ${showPayload(payload)}${burned}`;
  }
  const to = address ?? `script ${bytesToHex(script)}`;
  const words = { external: 'pays', own: 'to self', change: 'change', data: 'data' } as const;
  const path = owner === undefined ? '' : `  (${addressPath(owner, network)})`;
  return `${words[kind].padEnd(8)} ${showCoins(value, network)} to ${to}${path}`;
}

/** A payload in words, read from its own bytes. */
export function showPayload(payload: PayloadDescription): string {
  switch (payload.protocol) {
    case 'proof':
      return `anchors the digest ${payload.digest}`;
    case 'treasury':
      return `contribution ${payload.tag}`;
    case 'unknown':
      return `unknown bytes ${payload.payload}`;
    case 'name':
      return showNameOperation(payload.operation);
    case 'token':
      return showTokenOperation(payload.operation);
  }
}

function showNameOperation(operation: (PayloadDescription & { protocol: 'name' })['operation']): string {
  switch (operation.kind) {
    case 'commit':
      return `commits to a name, hidden as ${bytesToHex(operation.commitment)}`;
    case 'register':
      return `registers ${operation.name} for ${showCount(operation.periods, 'period')}`;
    case 'transfer':
      return `gives ${operation.name} away, to output ${operation.toVout}`;
    case 'renew':
      return `renews ${operation.name} for ${showCount(operation.periods, 'period')}`;
    case 'reverse':
      return operation.name === ''
        ? 'shows the address with no name any more'
        : `shows the address with the name ${operation.name}`;
    case 'records':
      return `sets the text records of ${operation.name}, by the hash ${bytesToHex(operation.hash)}`;
  }
}

/** Of amounts only parts are in the bytes; what they are in tokens is said where the token's decimals were proven. */
function showTokenOperation(operation: (PayloadDescription & { protocol: 'token' })['operation']): string {
  switch (operation.kind) {
    case 'create': {
      const { ticker, decimals, premine, cap, mintable } = operation.terms;
      const most = cap === undefined ? 'no cap' : `at most ${cap}`;
      const open = mintable ? `can be minted, ${most}` : 'can never be minted';
      return `creates ${ticker}: ${decimals} decimals, ${premine} parts at once, ${open}`;
    }
    case 'mint': {
      const closes = operation.closes ? ', and closes minting for good' : '';
      return `mints ${operation.amount} parts of ${bytesToHex(operation.tokenId)} to output ${operation.toVout}${closes}`;
    }
    case 'transfer': {
      const shares = operation.shares.map(({ toVout, amount }) => `${amount} parts to output ${toVout}`);
      return `transfers ${bytesToHex(operation.tokenId)}: ${shares.join(', ')}`;
    }
    case 'burn':
      return `burns ${operation.amount} parts of ${bytesToHex(operation.tokenId)}`;
    case 'sweep':
      return `moves all tokens of the sender to output ${operation.toVout}`;
  }
}

/** A rate for 1,000 vB as base units for one, with three decimals. */
function showRate(ratePerKvb: bigint): string {
  return `${ratePerKvb / 1000n}.${(ratePerKvb % 1000n).toString().padStart(3, '0')}`;
}
