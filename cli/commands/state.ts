import type { StatePageJson } from '@coinfront/api/protocol-state.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import { getNameHashes } from '@coinfront/sdk/names/get-name-hashes.ts';
import { listNameState } from '@coinfront/sdk/names/list-name-state.ts';
import { getProofHashes } from '@coinfront/sdk/proofs/get-proof-hashes.ts';
import { listProofState } from '@coinfront/sdk/proofs/list-proof-state.ts';
import { getTokenHashes } from '@coinfront/sdk/tokens/get-token-hashes.ts';
import { listTokenState } from '@coinfront/sdk/tokens/list-token-state.ts';
import { verifyState } from '@coinfront/sdk/verify/verify-state.ts';
import { openConnection } from '../service/open-connection.ts';
import { misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { exitCodes } from '../shell/exit-codes.ts';

type Hashes = { block_hash: string; chain_hash: string; state_hash: string | null; rules_id: string };
type PageParams = { limit: number; height?: number; cursor?: string };
type Reads = {
  list: (client: Client, params: PageParams) => Promise<StatePageJson>;
  getHashes: (client: Client, params: { height: number; state: 'true' }) => Promise<Hashes>;
};
const protocols: Readonly<Record<string, Reads>> = {
  proofs: { list: listProofState, getHashes: getProofHashes },
  names: { list: listNameState, getHashes: getNameHashes },
  tokens: { list: listTokenState, getHashes: getTokenHashes },
};

const ROWS_OF_A_PAGE = 500;

export const stateCommand = defineCommand({
  name: 'state',
  summary: 'read all proofs, names or tokens of a service, and compute the hash of its state',
  details: `Needs no wallet. --against compares with another service at the same block. Exit code 6: the services differ in
rules, chain or state.`,
  args: [{ name: 'protocol', summary: Object.keys(protocols).join(', ') }],
  options: {
    height: {
      value: '<n>',
      summary: 'the state behind this block, which must be one that can be undone; the tip unless given',
    },
    against: { value: '<url>', summary: 'a service to compare it with' },
  },
  async run(context, { args, options }) {
    const reads = Object.hasOwn(protocols, args.protocol) ? protocols[args.protocol] : undefined;
    if (reads === undefined)
      throw misuse(`The protocol is one of ${Object.keys(protocols).join(', ')}: "${args.protocol}".`);
    const wanted = options.height === undefined ? undefined : Number(options.height);
    if (wanted !== undefined && !Number.isSafeInteger(wanted))
      throw misuse(`--height is a whole number: "${options.height}".`);
    const { client } = await openConnection(context);
    const json = await readState(client, reads, wanted);
    const { height, block_hash, rules_id, state_hash, rows } = json;
    const lines = [
      `block    ${height} ${block_hash}`,
      `rules    ${rules_id}`,
      `state    ${state_hash}, ${rows} rows`,
    ];
    if (options.against === undefined) return { json, lines };
    const globals = { ...context.options, service: options.against };
    const other = await openConnection({ ...context, options: globals });
    const verdict = compare(json, await readHashes(other.client, reads, height));
    return {
      json: { ...json, against: other.service, result: verdict },
      lines: [...lines, `${results[verdict]} ${other.service}`],
      exitCode: verdict === 'agrees' ? exitCodes.done : exitCodes.invalid,
    };
  },
});

async function readState(client: Client, { list }: Reads, height: number | undefined) {
  const of = height === undefined ? {} : { height };
  const state = await verifyState((cursor) =>
    list(client, { limit: ROWS_OF_A_PAGE, ...(cursor === undefined ? of : { cursor }) }),
  );
  return {
    height: state.height,
    block_hash: state.blockHash,
    rules_id: state.rulesId,
    chain_hash: state.chainHash,
    state_hash: state.stateHash,
    rows: state.rows,
  };
}

/** What a service says of a height; where its state is too large to be hashed for a request, what its rows say. */
async function readHashes(client: Client, reads: Reads, height: number): Promise<Hashes> {
  try {
    return await reads.getHashes(client, { height, state: 'true' });
  } catch (error) {
    if (!isCoinfrontError(error) || error.code !== 'state_too_large') throw error;
    return await readState(client, reads, height);
  }
}

const results = {
  agrees: 'agrees   with',
  other_rules: 'other rules at',
  other_chain: 'another chain, or other events, at',
  differs: 'another state at',
} as const;

function compare(
  ours: Omit<Hashes, 'state_hash'> & { state_hash: string },
  theirs: Hashes,
): keyof typeof results {
  if (ours.rules_id !== theirs.rules_id) return 'other_rules';
  if (ours.block_hash !== theirs.block_hash || ours.chain_hash !== theirs.chain_hash) return 'other_chain';
  return ours.state_hash === theirs.state_hash ? 'agrees' : 'differs';
}
