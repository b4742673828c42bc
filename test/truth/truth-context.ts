import type { TestNode } from '../harness/litecoind.ts';
import type { TestService } from '../harness/service.ts';
import type { NodeChain } from './node-chain.ts';

/** A service, the node that it follows, and what that node says. */
export type TruthContext = { service: TestService; node: TestNode; chain: NodeChain };

/** Regtest's rule, as Core's. */
export const MATURITY = 100;
