import { openScriptPubKey } from '../chain/scripts.ts';
import { FILL_VALUE, type SpendHub } from './heavy-blocks.ts';
import { type Fresh, type FreshOfRoutes, jsonBody, textBody } from './list-requests.ts';

/** Inputs of 43 virtual bytes, and outputs of 43 bytes: each kind has a little less than the 100,000 that nodes relay. */
const kinds = [
  { name: 'a transaction of 2,250 inputs that the node takes', inputs: 2_250, outputs: 1 },
  { name: 'a transaction of 2,000 outputs that the node takes', inputs: 250, outputs: 2_000 },
] as const;
/** Above the least fee of a node, which is a base unit for each virtual byte. */
const FEE = 250_000n;
/** No other output of the chain has these numbers, so that each is another script. */
const FIRST_NUMBER = 6_000_000;

/** Transactions as large as nodes take them, for the routes that hand them to the node, and for the one that only looks at them. */
export function listAcceptedTransactions(spendHub: SpendHub): FreshOfRoutes {
  let number = FIRST_NUMBER;
  const write = ({ inputs, outputs }: (typeof kinds)[number]): string => {
    const value = (FILL_VALUE * BigInt(inputs) - FEE) / BigInt(outputs);
    const paid = Array.from({ length: outputs }, () => ({ value, script: openScriptPubKey(number++) }));
    return spendHub(inputs, paid).hex;
  };
  const inJson = (name: string, raw_tx: string) => jsonBody(name, JSON.stringify({ raw_tx }));
  const sentAs = (writeBody: typeof inJson): Fresh[] =>
    kinds.map((kind) => {
      const { name } = kind;
      return { name, hasBody: true, make: async () => ({ sent: writeBody(name, write(kind)) }) };
    });
  return {
    'POST /api/v1/broadcast': sentAs(inJson),
    'POST /esplora/tx': sentAs(textBody),
    'POST /api/v1/tok/preflight': kinds.map((kind) => {
      const sent = inJson(kind.name, write(kind));
      return { name: kind.name, hasBody: true, make: async () => ({ sent }) };
    }),
  };
}
