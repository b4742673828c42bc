/** What is counted of whoever coinbases pay: in how many blocks, and how much, in two halves, for a coin may have more than 63 bits of it. */
export const payeeCounts = { blocks: 0, value: 1, highValue: 2 } as const;

/** A unit of the higher half. */
export const HIGH_VALUE = 2n ** 62n;
