import type { TxProofJson } from '@coinfront/api/chain-transactions.ts';
import type { NameJson, NameOperationJson } from '@coinfront/api/names.ts';
import { bytesToHex, equalBytes, parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { findPayload } from '@coinfront/protocol/carrier.ts';
import { decodeNameOperation } from '@coinfront/protocol/names/name-operation.ts';
import { findRecipient } from '@coinfront/protocol/operation.ts';
import { findSender } from '@coinfront/protocol/sender.ts';
import { MARKERS } from '../wallet/markers.ts';
import { fetchTransaction } from '../wallet/previous-transactions.ts';
import type { WalletReads } from '../wallet/wallet-reads.ts';
import { verifyTransactionProof } from './verify-transaction-proof.ts';

/** What evidence of a name's owner cannot show, each with its meaning. */
export const NAME_UNPROVEN = {
  validity:
    'That the registry accepts the operation: a register also needs its commitment, its price, and a free name.',
  latest:
    'That nobody got the name later: only replaying all blocks shows that there is no further transfer.',
  best_chain:
    'That the block is in the chain that the network follows: compare its hash with a source you trust.',
} as const;

/** The transaction by which an owner got a name, proven to be in a block. */
export type NameEvidence = {
  kind: 'register' | 'transfer';
  txid: string;
  blockHash: string;
  /** Unix seconds, as its header says. */
  time: number;
  unproven: (keyof typeof NAME_UNPROVEN)[];
};

/** What the evidence is read from. */
export type NameReads = Pick<WalletReads, 'getRawTransaction'> & {
  /** `(txid) => getTransactionProof(client, { txid })` */
  getTransactionProof(txid: string): Promise<TxProofJson>;
};

/**
 * Looks for the transaction that gave a name to the script that a service resolves it to, and proves it: its bytes, its
 * operation, sender or recipient, and that a block has it. So a service cannot send a payment to an address that never
 * was an owner on chain; what it could still hide is in `unproven`, and a payer who must know sees the address first.
 *
 * @param name - answer of `/name/{name}`, whose history's first page is looked at
 * @returns undefined when there is no such transaction, or one does not say what it should
 * @example
 * const evidence = await proveNameOwner(await getName(client, { name }), reads);
 */
export async function proveNameOwner(name: NameJson, reads: NameReads): Promise<NameEvidence | undefined> {
  const owner = parseHex(String(name.owner?.script));
  const gave = name.history?.items.find(isGift);
  if (!owner.ok || gave === undefined) return undefined;
  const { tx, stripped } = await fetchTransaction(gave.txid, reads);
  const found = findPayload(tx.outputs, MARKERS.name);
  const decoded = found.kind === 'one' ? decodeNameOperation(found.payload) : undefined;
  if (!decoded?.ok) return undefined;
  const { operation } = decoded;
  if (operation.kind !== 'register' && operation.kind !== 'transfer') return undefined;
  if (operation.name !== name.name) return undefined;
  if (operation.kind === 'transfer') {
    const recipient = findRecipient(tx.outputs, operation.toVout);
    if (!recipient.ok || !equalBytes(recipient.script, owner.value)) return undefined;
  } else {
    const input = tx.inputs[0]!;
    const previous = await fetchTransaction(toDisplayHash(input.prevTxid), reads);
    const script = previous.tx.outputs[input.prevVout]?.script;
    const sender = script && findSender(tx, script);
    if (!sender?.ok || !equalBytes(sender.script, owner.value)) return undefined;
  }
  const proof = await reads.getTransactionProof(gave.txid);
  const block = verifyTransactionProof(bytesToHex(stripped), proof);
  if (block === undefined) return undefined;
  const { txid, blockHash, time } = block;
  return { kind: operation.kind, txid, blockHash, time, unproven: ['validity', 'latest', 'best_chain'] };
}

function isGift({ kind, valid }: NameOperationJson): boolean {
  return valid && (kind === 'register' || kind === 'transfer');
}
