import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { BlockRecord, ChainView } from '../../../chain/chain-view.ts';
import { readFor } from '../electrum-context.ts';
import { electrumCosts, electrumLimits } from '../electrum-limits.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { RANK_1_6 } from '../session/version-rules.ts';
import type { Method, Methods } from './method.ts';
import { readOptionalWhole, readWhole } from './read-parameters.ts';

const header: Method = {
  parameters: ['height', 'cp_height'],
  required: 1,
  cost: electrumCosts.call,
  async answer(context, session, [height, checkpoint]) {
    const at = readWhole(height, 'height');
    const upTo = readOptionalWhole(checkpoint, 'cp_height');
    if (upTo > 0) context.charge.before(session, electrumCosts.headers);
    return await readFor(context, session, async (view) => {
      const block = await view.findBlockAt(at);
      if (!block) throw outOfRange(view, 'height', at);
      if (upTo === 0) return `"${await readWrapped(view, block)}"`;
      checkCheckpoint(view, at, upTo);
      const { branch, root } = await context.headerProofs.prove(view, at, upTo);
      return `{"branch":${JSON.stringify(branch)},"header":"${bytesToHex(block.header)}","root":"${root}"}`;
    });
  },
};

const headers: Method = {
  parameters: ['start_height', 'count', 'cp_height'],
  required: 2,
  cost: electrumCosts.headers,
  async answer(context, session, [start, wanted, checkpoint]) {
    const from = readWhole(start, 'start_height');
    const most = Math.min(readWhole(wanted, 'count'), electrumLimits.headers);
    const upTo = readOptionalWhole(checkpoint, 'cp_height');
    return await readFor(context, session, async (view) => {
      const found = most === 0 ? [] : await view.listHeaders(from, most);
      const texts = found.map(({ header, auxpow }) =>
        upTo === 0 ? bytesToHex(header) + bytesToHex(auxpow) : bytesToHex(header),
      );
      const list =
        session.version.rank >= RANK_1_6 ? `"headers":${JSON.stringify(texts)}` : `"hex":"${texts.join('')}"`;
      const plain = `{"count":${texts.length},${list},"max":${electrumLimits.headers}`;
      if (upTo === 0 || texts.length === 0) return `${plain}}`;
      const last = from + texts.length - 1;
      checkCheckpoint(view, last, upTo);
      const { branch, root } = await context.headerProofs.prove(view, last, upTo);
      return `${plain},"root":"${root}","branch":${JSON.stringify(branch)}}`;
    });
  },
};

const subscribe: Method = {
  parameters: [],
  required: 0,
  cost: electrumCosts.call,
  async answer(context, session) {
    const { tip, auxpow, revision } = await readFor(context, session, async (view) => {
      if (!view.tip) throw new RpcError('busy', 'server busy: it has no block yet');
      return { tip: view.tip, auxpow: await view.readAuxpow(view.tip), revision: view.mempool.version };
    });
    if (!session.tip || session.tip.revision < revision) session.tip = { hash: tip.hash, revision };
    return showTip(tip, auxpow);
  },
};

/** Methods about blocks. */
export const blockMethods: Methods = {
  'blockchain.block.header': header,
  'blockchain.block.headers': headers,
  'blockchain.headers.subscribe': subscribe,
};

/** The tip as clients are told of it, as JSON. */
export function showTip({ height, header: bytes }: BlockRecord, auxpow: Uint8Array): string {
  return `{"height":${height},"hex":"${bytesToHex(bytes)}${bytesToHex(auxpow)}"}`;
}

async function readWrapped(view: ChainView, block: BlockRecord): Promise<string> {
  return bytesToHex(block.header) + bytesToHex(await view.readAuxpow(block));
}

function outOfRange({ tip }: ChainView, name: string, height: number): RpcError {
  return new RpcError(
    'refused',
    `${name} ${height} out of range: the chain ends at ${tip?.height ?? 'none'}`,
  );
}

function checkCheckpoint(view: ChainView, height: number, checkpoint: number): void {
  const top = view.tip?.height ?? -1;
  if (height <= checkpoint && checkpoint <= top) return;
  throw new RpcError(
    'refused',
    `header height ${height} must be <= cp_height ${checkpoint} which must be <= chain height ${top}`,
  );
}
