/** What a request costs whose work hangs on how much there is to list: known only when it is answered. */
export type RowCost = {
  /** Units that have to be there before the work begins; what is not needed of them is given back with the answer. */
  readonly reserve: number;
  /** Rows that make one unit more than the first. */
  readonly rowsOfUnit: number;
  /** What its rows are, as documents call them. */
  readonly of: string;
};

/** Units that are taken before a request is answered. */
export function unitsToReserve(cost: number | RowCost): number {
  return typeof cost === 'number' ? cost : cost.reserve;
}

/** Units that an answer of so many rows costs, besides those for its bytes. */
export function unitsOfRows({ rowsOfUnit }: RowCost, rows: number): number {
  return 1 + Math.floor(rows / rowsOfUnit);
}

/** The cost of an operation as a sentence; empty where it is that of most, one unit. */
export function describeCost(cost: number | RowCost): string {
  if (cost === 1) return '';
  if (cost === 0.5) return 'Costs half a request unit.';
  if (typeof cost === 'number') return `Costs ${cost} request units.`;
  const { reserve, rowsOfUnit, of } = cost;
  return `Costs 1 request unit and 1 more for each ${rowsOfUnit} ${of}; ${reserve} have to be left.`;
}
