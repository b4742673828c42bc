import { createHash } from 'node:crypto';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import { nameCommitment } from '@coinfront/protocol/names/name-commitment.ts';
import { encodeNameOperation, type NameOperation } from '@coinfront/protocol/names/name-operation.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import { tokenIdOf } from '@coinfront/protocol/tokens/token-id.ts';
import { encodeTokenOperation, type TokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import type { Signed, Signer } from '../../test/harness/signing-wallet.ts';
import { testProfile as profile } from '../../test/harness/test-coin.ts';
import type { WorkKind } from '../plan/work.ts';
import { choose } from '../promises/record.ts';
import type { Signers } from './signers.ts';

/** A signed operation of one of the protocols, and the digest that it anchors if it does. */
export type SignedOperation = { readonly signed: Signed; readonly digest: string | undefined };

/** Makes operations, each on what earlier ones left: many are valid, and some are not, as on any chain. */
export type OperationMaker = (work: Extract<WorkKind, { kind: 'broadcast' }>) => SignedOperation | undefined;

const SENT = 10_000n;
const NAME_PRICE = 10_000_000n;
const REMEMBERED = 20;
const salt = new Uint8Array(16).fill(7);
const prefix = genesisPrefix(profile);

export function createOperationMaker(signers: Signers): OperationMaker {
  let made = 0;
  const tokens: { id: Uint8Array; issuer: number }[] = [];
  const names: { name: string; owner: number }[] = [];
  const remember = <T>(list: T[], item: T) => {
    list.push(item);
    if (list.length > REMEMBERED) list.shift();
  };

  function makeToken(work: Parameters<OperationMaker>[0]): SignedOperation | undefined {
    const { rules, marker } = { rules: profile.tokens!, marker: profile.tokens!.marker };
    const token = choose(tokens, work.which);
    const isCreate = work.operation === 'token-create' || token === undefined;
    const operation: TokenOperation = isCreate
      ? {
          kind: 'create',
          terms: {
            mintable: true,
            decimals: 2,
            premine: 10_000n,
            cap: undefined,
            ticker: `CAMP${made % 1_000}`,
            metadataHash: undefined,
          },
        }
      : describeToken(work, token.id);
    const payload = encodeTokenOperation(operation, marker);
    const to = choose(signers.list, work.to)!;
    // Whoever issued a token has most of it, and may mint; the chosen one may have nothing, which is invalid.
    const by = isCreate || work.amount % 3n === 0n ? work.by : token.issuer;
    const signed = signers.sign(by, () => [
      { value: 0n, script: buildCarrier(payload) },
      { value: SENT, script: to.script },
      ...(isCreate ? [{ value: rules.createFees[0]!.fee, script: rules.feeScript }] : []),
    ]);
    if (signed && isCreate)
      remember(tokens, { id: tokenIdOf(signed.tx.inputs[0]!, payload, prefix), issuer: by });
    return signed && { signed, digest: undefined };
  }

  function makeName(work: Parameters<OperationMaker>[0]): SignedOperation | undefined {
    const { marker, feeScript } = profile.names!;
    const known = work.operation === 'name-commit' ? undefined : choose(names, work.which);
    const name = known?.name ?? `camp${made}.coin`;
    const by = known?.owner ?? work.by;
    const signed = signers.sign(by, (signer) => {
      const operation = describeName(known && work.operation, name, signer);
      return [
        { value: 0n, script: buildCarrier(encodeNameOperation(operation, marker)) },
        { value: SENT, script: signer.script },
        ...(known ? [{ value: NAME_PRICE, script: feeScript }] : []),
      ];
    });
    if (signed && !known) remember(names, { name, owner: by });
    return signed && { signed, digest: undefined };
  }

  return (work) => {
    made++;
    if (work.operation.startsWith('token')) return makeToken(work);
    if (work.operation.startsWith('name')) return makeName(work);
    const digest =
      work.operation === 'proof' ? createHash('sha256').update(`file ${made}`).digest() : undefined;
    const to = choose(signers.list, work.to)!;
    const signed = signers.sign(work.by, (): TxOutput[] => [
      ...(digest ? [{ value: 0n, script: anchorScript(digest, profile.proofs!.marker) }] : []),
      { value: SENT + work.amount, script: to.script },
    ]);
    return signed && { signed, digest: digest && bytesToHex(digest) };
  };
}

function describeToken(
  { operation, amount }: Parameters<OperationMaker>[0],
  tokenId: Uint8Array,
): TokenOperation {
  if (operation === 'token-mint') return { kind: 'mint', tokenId, closes: false, toVout: 1, amount };
  if (operation === 'token-burn') return { kind: 'burn', tokenId, amount };
  return { kind: 'transfer', tokenId, shares: [{ toVout: 1, amount }] };
}

function describeName(operation: string | undefined, name: string, { script }: Signer): NameOperation {
  if (operation === undefined)
    return { kind: 'commit', commitment: nameCommitment({ ownerScript: script, salt, name }, prefix) };
  return operation === 'name-renew'
    ? { kind: 'renew', periods: 1, name }
    : { kind: 'register', periods: 1, salt, name };
}
