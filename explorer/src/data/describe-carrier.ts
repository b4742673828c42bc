/** What a data carrier says, by the protocols of docs/protocols; whether it is valid the registry and the token index say. */

import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { decodeNameOperation, LATER_KINDS } from '@coinfront/protocol/names/name-operation.ts';
import { decodeTokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import { type MessageKey, sayCode, t } from '../language/messages.ts';
import { pathOf } from '../router.tsx';

/** What it is, in words, and the page that knows more. */
export type CarrierFacts = { kind: MessageKey; text: string; href: string | undefined };

const MARKERS = { proof: '56504631', name: '564e5331', token: '56544b31', treasury: '56545231' } as const;
const MARKER_DIGITS = 8;
const PROOF_DIGITS = 72;
const TREASURY_DIGITS = 40;

/** Describes a payload, hex; undefined for one of no protocol that is known here. */
export function describeCarrier(payload: string): CarrierFacts | undefined {
  const rest = payload.slice(MARKER_DIGITS);
  switch (payload.slice(0, MARKER_DIGITS)) {
    case MARKERS.proof:
      return payload.length === PROOF_DIGITS
        ? { kind: 'Proof', text: rest, href: pathOf('proof', rest) }
        : undefined;
    case MARKERS.name:
      return describeName(payload);
    case MARKERS.token:
      return describeToken(payload);
    case MARKERS.treasury:
      return payload.length === TREASURY_DIGITS
        ? { kind: 'Treasury', text: t('contribution {id}', { id: rest }), href: '/treasury' }
        : undefined;
    default:
      return undefined;
  }
}

function describeName(payload: string): CarrierFacts {
  const decoded = decodeNameOperation(getHexBytes(payload), LATER_KINDS);
  if (!decoded.ok) return { kind: 'Name', text: t('a payload that cannot be read'), href: undefined };
  const { operation } = decoded;
  if (operation.kind === 'commit') {
    return { kind: 'Name', text: t('commit to a name that is not told yet'), href: undefined };
  }
  if (operation.name === '') return { kind: 'Name', text: sayCode(operation.kind), href: undefined };
  return {
    kind: 'Name',
    text: `${sayCode(operation.kind)} ${operation.name}`,
    href: pathOf('name', operation.name),
  };
}

function describeToken(payload: string): CarrierFacts {
  const decoded = decodeTokenOperation(getHexBytes(payload));
  if (!decoded.ok) return { kind: 'Token', text: t('a payload that cannot be read'), href: undefined };
  const { operation } = decoded;
  if (operation.kind === 'create') {
    return {
      kind: 'Token',
      text: `${sayCode(operation.kind)} ${operation.terms.ticker}`,
      href: `/tokens?q=${encodeURIComponent(operation.terms.ticker)}`,
    };
  }
  if (operation.kind === 'sweep')
    return { kind: 'Token', text: t('move all tokens of the sender'), href: undefined };
  const id = bytesToHex(operation.tokenId);
  return {
    kind: 'Token',
    text: t('{kind} of {id}', { kind: sayCode(operation.kind), id: `${id.slice(0, 8)}…` }),
    href: pathOf('token', id),
  };
}
