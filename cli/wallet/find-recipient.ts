import { decodeAddress } from '@coinfront/protocol/address.ts';
import { getTransactionProof } from '@coinfront/sdk/chain/get-transaction-proof.ts';
import { getName } from '@coinfront/sdk/names/get-name.ts';
import { resolveName } from '@coinfront/sdk/names/resolve-name.ts';
import { type NameEvidence, proveNameOwner } from '@coinfront/sdk/verify/name-evidence.ts';
import type { Network } from '@coinfront/sdk/wallet/network.ts';
import { readAddress } from '@coinfront/sdk/wallet/transaction-plan.ts';
import type { Session } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';

/** Who gets something, as it was typed and as it is paid. */
export type Recipient = {
  readonly address: string;
  /** The name that it was found by, with what proves it. */
  readonly name: { readonly text: string; readonly evidence: NameEvidence } | undefined;
};

/**
 * An address, or the one that a name stands for. Of a name the transaction that made its owner is asked for and checked, so
 * that a service cannot just put an address of its own.
 *
 * @throws CliError `name_unproven`; WalletError `address_invalid`; CoinfrontError `name_not_resolved`
 */
export async function findRecipient(
  text: string,
  network: Network,
  { client, reads }: Session,
): Promise<Recipient> {
  if (!isName(text, network)) {
    readAddress(text, network);
    return { address: text, name: undefined };
  }
  const { address, script } = await resolveName(client, { name: text });
  const record = await getName(client, { name: text, limit: 100 });
  const evidence =
    address !== null && record.owner.script === script && record.owner.address === address
      ? await proveNameOwner(record, {
          getRawTransaction: reads.getRawTransaction,
          getTransactionProof: (txid) => getTransactionProof(client, { txid }),
        })
      : undefined;
  if (address === null || evidence === undefined) {
    const detail = `The service did not prove who owns ${text}: ask for the address itself.`;
    throw new CliError('name_unproven', detail);
  }
  readAddress(address, network);
  return { address, name: { text, evidence } };
}

function isName(text: string, network: Network): boolean {
  return /^[^.]+\.[a-z]+$/.test(text) && !decodeAddress(text, network).ok;
}

/** The recipient for a person who decides: a name is never shown without its address. */
export function showRecipient({ address, name }: Recipient): string {
  if (name === undefined) return address;
  const { kind, txid, time } = name.evidence;
  const day = new Date(time * 1000).toISOString().slice(0, 10);
  return `${name.text}, which is ${address} (its ${kind} of ${day} in ${txid})`;
}
