import type { Random } from '../chain/random.ts';

/** What an owner (by number) has of a token (by number). */
export type Holding = { readonly owner: number; readonly token: number; balance: bigint };

/** Who has what, so that every transfer that is made is one that the rules accept. */
export type Holdings = {
  /** Gives all of a new token to its issuer. */
  issue(token: number, owner: number, amount: bigint): void;
  /** Moves a part of somebody's balance: half of the time to one who has the token, else to anybody. */
  transfer(): { from: Holding; to: Holding; amount: bigint };
};

/** A sender keeps most of what there is, so that balances do not melt away. */
const LARGEST_DIVISOR = 1_000;

/** Starts without any holding. @param owners how many owners there are */
export function createHoldings(random: Random, owners: number): Holdings {
  const all: Holding[] = [];
  const byToken = new Map<number, Map<number, Holding>>();

  const hold = (token: number, owner: number): Holding => {
    const ofToken = byToken.get(token) ?? new Map<number, Holding>();
    byToken.set(token, ofToken);
    const known = ofToken.get(owner);
    if (known) return known;
    const holding = { owner, token, balance: 0n };
    ofToken.set(owner, holding);
    all.push(holding);
    return holding;
  };
  const pick = (): Holding => all[random.below(all.length)]!;
  const pickSender = (): Holding => {
    for (;;) {
      const holding = pick();
      if (holding.balance > 1n) return holding;
    }
  };
  const pickRecipient = (token: number): Holding => {
    if (random.chance(0.5)) {
      // Somebody of another token may have this one, too; a few tries find one while owners are few.
      for (let tries = 0; tries < 4; tries++) {
        const known = byToken.get(token)!.get(pick().owner);
        if (known) return known;
      }
    }
    return hold(token, random.below(owners));
  };

  return {
    issue(token, owner, amount) {
      hold(token, owner).balance += amount;
    },
    transfer() {
      const from = pickSender();
      const part = from.balance / BigInt(2 + random.below(LARGEST_DIVISOR - 1));
      const amount = part > 0n ? part : 1n;
      const to = pickRecipient(from.token);
      from.balance -= amount;
      to.balance += amount;
      return { from, to, amount };
    },
  };
}
