import type { CoinProfile, TreasuryProfile } from '@coinfront/protocol/profile.ts';
import type { ReadChain } from '../../chain/chain-view.ts';
import type { NameClient } from '../../clients/client-names.ts';
import type { Precious } from '../../db/precious.ts';
import type { ServiceSigner } from '../../signing/service-key.ts';
import type { SenderContext } from '../../unsigned/read-sender.ts';
import type { FindOwnScripts } from './scripts/own-scripts.ts';

/** What follows the chain for the treasury is made with. */
export type TreasuryFollowContext = {
  precious: Precious;
  readChain: ReadChain;
  profile: CoinProfile;
  treasury: TreasuryProfile;
  now: () => number;
};

/** What writes the ledger is made with. */
export type TreasuryRecordContext = TreasuryFollowContext & {
  signer: ServiceSigner;
  findOwnScripts: FindOwnScripts;
  /** Blocks of an epoch of the ledger's log. */
  epochBlocks: number;
};

/** What the part is given. */
export type TreasuryPartContext = SenderContext & {
  precious: Precious;
  readChain: ReadChain;
  profile: CoinProfile;
  now: () => number;
  /** Height of the node's best block, when it last answered. */
  findNodeHeight: () => number | undefined;
  /** Whether the node answers, as of the last time that it was asked. */
  isNodeAvailable: () => boolean;
  nameClient: NameClient;
  /** What one client is given a day (UTC); undefined means no limit. */
  perClient: { exactAmounts: number; contributors: number } | undefined;
  /** Blocks of an epoch of the ledger's log. */
  epochBlocks: number;
};

/** What the routes are made with, where the coin has a treasury. */
export type TreasuryContext = TreasuryPartContext & { treasury: TreasuryProfile };

/** Where this part's routes begin. */
export const treasuryPrefix = '/api/treasury';
/** The version that the specification of the service gives this interface. */
export const treasuryApiVersion = '1.0.2';
