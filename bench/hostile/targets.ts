import type { HostileChain } from './hostile-chain.ts';

/** What attacks ask of the chain. */
export type Targets = Pick<HostileChain, 'script' | 'txid' | 'hub' | 'manyItems'>;

/** A transaction of a million witness items that spends nothing there is, in hex. */
export const manyItemsHex: string = `01000000000101${'11'.repeat(32)}0000000000ffffffff01e8030000000000000151fe40420f00${'00'.repeat(1_000_000)}00000000`;
