import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { nameCommitment } from '@coinfront/protocol/names/name-commitment.ts';
import { encodeNameOperation, type NameOperation } from '@coinfront/protocol/names/name-operation.ts';
import {
  findRecordsFault,
  hashRecordsDocument,
  type NameRecords,
  writeRecordsDocument,
} from '@coinfront/protocol/names/name-records.ts';
import { NAME_FAULTS, type NameSyntax, parseName } from '@coinfront/protocol/names/name-syntax.ts';
import { MARKERS } from './markers.ts';
import type { Network } from './network.ts';
import { type PlannedOutput, readAddress, type TransactionPlan } from './transaction-plan.ts';
import type { WalletAddress } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';

/** What an operation of names pays, from the registry's answers; shown as an output before it is signed. */
export type NameCost = {
  /** Base units, for all periods, the premium included. */
  total: bigint;
  /** The script that is paid. */
  feeScript: Uint8Array;
};

/** Label and ending of a name that can be one. @throws WalletError `name_invalid` */
export function checkName(name: string, syntax: NameSyntax): void {
  const parsed = parseName(name, syntax);
  if (!parsed.ok)
    throw new WalletError('name_invalid', `"${name.slice(0, 60)}" is no name: ${NAME_FAULTS[parsed.reason]}`);
}

/**
 * Plans the first step to a name: a commitment that hides it, bound to its owner. After it matured (`/status` says how
 * many blocks) {@link planNameRegister} reveals it with the same owner and salt; the salt is `keys.nameSalt(name)`,
 * which a restored wallet makes again.
 *
 * @param parameters.fundOwner - what the owner's address gets for the register, base units: only it can send that.
 *   The change goes there too. Leave it out where the address has coins.
 * @example
 * const plan = planNameCommit({ name, owner, salt: keys.nameSalt(name), network, syntax: status.rules });
 */
export function planNameCommit({
  name,
  owner,
  salt,
  network,
  syntax,
  fundOwner,
}: {
  name: string;
  owner: WalletAddress;
  salt: Uint8Array;
  network: Network;
  syntax: NameSyntax;
  fundOwner?: bigint;
}): TransactionPlan {
  checkName(name, syntax);
  const commitment = nameCommitment({ ownerScript: owner.script, salt, name }, genesisPrefix(network));
  const fund = fundOwner === undefined ? [] : [{ script: owner.script, value: fundOwner }];
  return { outputs: [carrierOf({ kind: 'commit', commitment }), ...fund], changeTo: owner };
}

/**
 * Plans the register of a name that was committed to: the owner sends it, and pays its price.
 *
 * @example
 * const plan = planNameRegister({ name, owner, salt: keys.nameSalt(name), periods: 1, cost, syntax });
 */
export function planNameRegister({
  name,
  owner,
  salt,
  periods,
  cost,
  syntax,
}: {
  name: string;
  owner: WalletAddress;
  salt: Uint8Array;
  periods: number;
  cost: NameCost;
  syntax: NameSyntax;
}): TransactionPlan {
  checkName(name, syntax);
  checkPeriods(periods);
  return { outputs: [carrierOf({ kind: 'register', periods, salt, name }), payTo(cost)], sender: owner };
}

/**
 * Plans the transfer of a name to an address, which gets the smallest output that nodes relay.
 *
 * @example
 * const plan = planNameTransfer({ name, owner, to: 'rltc1q…', network, syntax });
 */
export function planNameTransfer({
  name,
  owner,
  to,
  network,
  syntax,
}: {
  name: string;
  owner: WalletAddress;
  /** An address. */
  to: string;
  network: Network;
  syntax: NameSyntax;
}): TransactionPlan {
  checkName(name, syntax);
  const recipient = { script: readAddress(to, network), value: network.dustLimit };
  return { outputs: [carrierOf({ kind: 'transfer', toVout: 1, name }), recipient], sender: owner };
}

/**
 * Plans the renewal of a name; anybody may renew any name, whose owner stays the same.
 *
 * @example
 * const plan = planNameRenew({ name, payer, periods: 1, cost, syntax });
 */
export function planNameRenew({
  name,
  payer,
  periods,
  cost,
  syntax,
}: {
  name: string;
  /** Whose coins pay; input 0 is of this address. */
  payer: WalletAddress;
  periods: number;
  cost: NameCost;
  syntax: NameSyntax;
}): TransactionPlan {
  checkName(name, syntax);
  checkPeriods(periods);
  return { outputs: [carrierOf({ kind: 'renew', periods, name }), payTo(cost)], sender: payer };
}

/**
 * Plans a reverse record: with which of its names an address is shown, or with none. Only the address itself can send it.
 *
 * @param parameters.name - a name that resolves to `owner`; null removes the record
 * @example
 * const plan = planNameReverse({ name, owner, syntax });
 */
export function planNameReverse({
  name,
  owner,
  syntax,
}: {
  name: string | null;
  owner: WalletAddress;
  syntax: NameSyntax;
}): TransactionPlan {
  if (name !== null) checkName(name, syntax);
  return { outputs: [carrierOf({ kind: 'reverse', name: name ?? '' })], sender: owner };
}

/**
 * Plans text records: the hash of their document goes on the chain, sent by the owner of the name. The document is given to services with
 * `putNameRecords` once a block has it.
 *
 * @param parameters.records - all that the name has from then on; null removes them
 * @throws WalletError `name_invalid` for what cannot be records
 * @example
 * const plan = planNameRecords({ name, owner, records: { url: 'https://alice.example/' }, syntax });
 */
export function planNameRecords({
  name,
  owner,
  records,
  syntax,
}: {
  name: string;
  owner: WalletAddress;
  records: NameRecords | null;
  syntax: NameSyntax;
}): TransactionPlan {
  checkName(name, syntax);
  const hash = records === null ? new Uint8Array(32) : hashRecordsDocument(makeDocument(name, records));
  return { outputs: [carrierOf({ kind: 'records', hash, name })], sender: owner };
}

function makeDocument(name: string, records: NameRecords): string {
  const fault = findRecordsFault(records);
  if (fault !== undefined) throw new WalletError('name_invalid', `${fault}.`);
  try {
    return writeRecordsDocument(name, records);
  } catch (error) {
    throw new WalletError('name_invalid', `${(error as Error).message}.`);
  }
}

function carrierOf(operation: NameOperation): PlannedOutput {
  return { script: buildCarrier(encodeNameOperation(operation, MARKERS.name)), value: 0n };
}

function payTo({ feeScript, total }: NameCost): PlannedOutput {
  return { script: feeScript, value: total };
}

function checkPeriods(periods: number): void {
  if (Number.isInteger(periods) && periods >= 1 && periods <= 255) return;
  throw new WalletError('name_invalid', `Periods are a whole number from 1 on, received ${periods}.`);
}
