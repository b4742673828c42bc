import type { LeafJson } from '@coinfront/api/proof-calendar.ts';
import type { ProofJson } from '@coinfront/api/proofs.ts';
import { compareAnchorPlaces } from '@coinfront/protocol/proofs/anchor.ts';

type Anchor = NonNullable<ProofJson['primary']>;

/** What proves most of a digest. */
export type ChosenProof = {
  state: LeafJson['state'];
  /** Null while no block has it. */
  anchor: Anchor | null;
  /** Where the digest stands in the calendar's tree, whose root the transaction carries; absent for a digest that it carries itself. */
  leaf?: NonNullable<LeafJson['leaf']>;
  /** The anchor of the other way, which is later. */
  later?: { anchor: Anchor; isCalendar: boolean };
};

/** Of a transaction that carries the digest itself and the calendar's tree the earlier one: whoever knows a digest can have it anchored again. */
export function chooseProof(own: ProofJson, calendar: LeafJson | undefined): ChosenProof {
  const { leaf, primary: root } = calendar ?? { leaf: null, primary: null };
  if (calendar === undefined || leaf === null || root === null) {
    const { state, primary } = own;
    const isWaiting = state === 'unknown' && calendar !== undefined;
    return { state: isWaiting ? calendar.state : state, anchor: primary };
  }
  if (own.primary === null) return { state: calendar.state, anchor: root, leaf };
  return compareAnchorPlaces(root, own.primary) < 0
    ? { state: calendar.state, anchor: root, leaf, later: { anchor: own.primary, isCalendar: false } }
    : { state: own.state, anchor: own.primary, later: { anchor: root, isCalendar: true } };
}

/** The script of an output with another digest in it: `6a24`, the marker, and 32 bytes. */
export function scriptOfRoot(script: string, root: string): string {
  return script.slice(0, -root.length) + root;
}
