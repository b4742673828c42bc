import type { Block } from './block.ts';
import { demand, Invalid, listPayloads } from './carrier.ts';
import { hashChain, hashEvents, type Row } from './encoding.ts';
import { createJournal } from './journal.ts';
import { createNames } from './names.ts';
import type { Coin } from './profile.ts';
import { createProofs } from './proofs.ts';
import type { GivenRow, OperationProtocol, Placed } from './protocol.ts';
import { checkSender } from './sender.ts';
import { createTokens } from './tokens.ts';
import { type Input, isCoinbase, type Transaction } from './transaction.ts';
import { createTreasury, type Treasury } from './treasury.ts';

/** The protocols that have a chain of hashes, in the order in which they are compared. */
export const PROTOCOLS = ['proofs', 'names', 'tokens'] as const;
export type ProtocolName = (typeof PROTOCOLS)[number];

/** Undefined events: the block is below the activation. */
export type Hashes = { readonly events: Uint8Array | undefined; readonly chain: Uint8Array };

export type Tip = {
  readonly height: number;
  readonly hash: Uint8Array;
  readonly hashes: Partial<Record<ProtocolName, Hashes>>;
};

/** State and hashes of all protocols after the blocks that it was given. */
export type Ledger = {
  /** Undefined before the first block. */
  tip(): Tip | undefined;
  /** Inputs whose spent script {@link connect} asks for. */
  listSenders(block: Block): Input[];
  /** The next block. `findScript` knows what the inputs of `listSenders` spend. */
  connect(block: Block, findScript: (input: Input) => Uint8Array): void;
  /** Takes the tip back. False when it is too far below: all begins anew then. */
  undo(): boolean;
  listRows(protocol: ProtocolName): Row[];
  /** How often each event and each reason was met, undone blocks included. */
  readonly seen: ReadonlyMap<string, number>;
  readonly treasury: Treasury | undefined;
};

const ZEROS = new Uint8Array(32);
const HORIZON = 2_000;

/** A state from which a ledger begins: that behind a block, of all protocols. */
export type Beginning = {
  readonly tip: Tip;
  readonly rows: Partial<Record<ProtocolName, readonly GivenRow[]>>;
};

/**
 * @param beginning - undefined: before the first block. From a later one on there is no treasury: what it had before is not in a state
 * @throws Invalid where a row of the beginning is none
 */
export function createLedger(coin: Coin, beginning?: Beginning): Ledger {
  const journal = createJournal(HORIZON);
  const context = { genesisPrefix: coin.genesisHash.slice(0, 8), journal };
  const tips = journal.createTable<Tip>();
  const proofs = createProofs(coin.proofs.marker, journal);
  const operations: Partial<Record<ProtocolName, OperationProtocol>> = {
    ...(coin.names ? { names: createNames(coin.names, context) } : {}),
    ...(coin.tokens ? { tokens: createTokens(coin.tokens, context) } : {}),
  };
  const treasury =
    beginning === undefined && coin.treasury ? createTreasury(coin.treasury.scripts, journal) : undefined;
  const seen = new Map<string, number>();
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  const tip = (): Tip | undefined => tips.get('tip');

  /** The event of an operation; undefined where there is none, or an invalid one. */
  function judge(
    name: ProtocolName,
    { marker, activationHeight, apply }: OperationProtocol,
    placed: Placed,
    findScript: (input: Input) => Uint8Array,
  ): Uint8Array | undefined {
    if (placed.height < activationHeight) return undefined;
    const { tx } = placed;
    const payloads = listPayloads(tx.outputs, marker);
    if (payloads.length === 0) return undefined;
    try {
      demand(!isCoinbase(tx), 'coinbase');
      demand(payloads.length === 1, 'several_payloads');
      const sender = findScript(tx.inputs[0]!).slice();
      checkSender(tx.inputs[0]!, sender);
      const payload = payloads[0]!.slice();
      const event = apply({ ...placed, payload, sender, outputs: tx.outputs });
      count(`${name} ${payload[4]}`);
      return event;
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      count(`${name} ${error.reason}`);
      return undefined;
    }
  }

  if (beginning) {
    for (const name of PROTOCOLS) {
      const putRow = name === 'proofs' ? proofs.putRow : operations[name]?.putRow;
      for (const row of beginning.rows[name] ?? []) putRow?.(row);
    }
    tips.set('tip', beginning.tip);
  }

  return {
    tip,
    listSenders: ({ txs }) => txs.filter(hasOneOperation).map(({ inputs }) => inputs[0]!),
    connect(block, findScript) {
      const before = tip();
      const height = before ? before.height + 1 : 0;
      const events: Record<ProtocolName, Uint8Array[]> = { proofs: [], names: [], tokens: [] };
      journal.startBlock();
      for (const [index, tx] of block.txs.entries()) {
        const placed = { tx, index, height };
        const anchors = proofs.apply(placed);
        for (const _ of anchors) count('proofs 1');
        events.proofs.push(...anchors);
        for (const name of ['names', 'tokens'] as const) {
          const protocol = operations[name];
          const event = protocol && judge(name, protocol, placed, findScript);
          if (event) events[name].push(event);
        }
        treasury?.apply(placed);
      }
      const hashes: Partial<Record<ProtocolName, Hashes>> = {};
      for (const name of PROTOCOLS) {
        const activation = name === 'proofs' ? 0 : operations[name]?.activationHeight;
        if (activation === undefined) continue;
        const previous = before?.hashes[name]?.chain ?? ZEROS;
        const ofEvents = height < activation ? undefined : hashEvents(events[name]);
        const chain = ofEvents ? hashChain(previous, block.hash, ofEvents) : ZEROS;
        hashes[name] = { events: ofEvents, chain };
      }
      tips.set('tip', { height, hash: block.hash, hashes });
    },
    undo() {
      if (journal.depth() === 0) return false;
      journal.undoBlock();
      return true;
    },
    listRows(protocol) {
      return protocol === 'proofs' ? proofs.listRows() : operations[protocol]!.listRows(tip()!.height);
    },
    seen,
    treasury,
  };

  function hasOneOperation(tx: Transaction): boolean {
    if (isCoinbase(tx)) return false;
    return Object.values(operations).some(({ marker }) => listPayloads(tx.outputs, marker).length === 1);
  }
}
