import {
  EncodeBurnBody,
  EncodeCreateBody,
  type EncodedTokenJson,
  EncodedTokenView,
  EncodeMintBody,
  EncodeSweepBody,
  EncodeTokenTransferBody,
  tokenWarnings,
} from '@coinfront/api/token-encode.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { tokenIdOf } from '@coinfront/protocol/tokens/token-id.ts';
import { TOKEN_REASONS } from '@coinfront/protocol/tokens/token-reasons.ts';
import type { FastifyInstance } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { ChainView } from '../../../chain/chain-view.ts';
import { registerCall } from '../../../http/call-route.ts';
import { describeAsOf } from '../../../http/snapshot.ts';
import type { Unsigned } from '../../../unsigned/build-unsigned.ts';
import { prepareEncoded } from '../../../unsigned/prepare-encoded.ts';
import { readSender, type Sender, type SenderBody } from '../../../unsigned/read-sender.ts';
import { getTip } from '../get-tip.ts';
import { kindNames, serialiseOwner } from '../serialise-token.ts';
import type { TokenRouteContext } from '../token-context.ts';
import { encodeExamples } from './encode-examples.ts';
import {
  describePlannedSweep,
  judgePlan,
  listWarnings,
  planOperation,
  type TokenPlan,
} from './encode-plan.ts';
import {
  type AskedOperation,
  readBurn,
  readCreate,
  readMint,
  readSweep,
  readTransfer,
} from './read-operation.ts';

type EncodeRoute<B extends TObject> = {
  kind: 'create' | 'mint' | 'transfer' | 'burn' | 'sweep';
  summary: string;
  description: string;
  body: B;
  bodyExample: Static<B>;
  read(view: ChainView, body: Static<B>): Promise<AskedOperation>;
};

const COMMON =
  ' With `address` there is a PSBT of its confirmed coins, which its wallet signs; the service never signs, and never sees ' +
  'a key. There is none while the next block cannot have the operation (`not_valid_now`), unless `force` asks for it. Input 0 has to spend an output of the sender, signed with SIGHASH_ALL. Check what is signed with `/tok/preflight`.';

/** `POST /tok/encode/create`, `/mint`, `/transfer`, `/burn` and `/sweep`. */
export function registerEncodeRoutes(app: FastifyInstance, context: TokenRouteContext): void {
  const register = <B extends TObject>(route: EncodeRoute<B>): void =>
    registerCall(app, {
      method: 'POST',
      path: `/tok/encode/${route.kind}`,
      body: route.body,
      response: EncodedTokenView,
      cache: 'none',
      cost: 10,
      operation: {
        document: 'tokens',
        id: `encode${route.kind[0]!.toUpperCase()}${route.kind.slice(1)}`,
        tag: 'Transactions',
        summary: route.summary,
        description: route.description + COMMON,
        errors: ['token_not_found', 'amount_invalid', 'address_invalid', 'not_ready', 'index_unavailable'],
        bodyExample: route.bodyExample,
        example: encodeExamples.transfer,
      },
      call: ({ body }) =>
        context.readChain(async (view) => {
          const sender = await readSender(view, body as SenderBody, context);
          const asked = await route.read(view, body as Static<B>);
          const isForced = (body as { force?: 'prepare' }).force === 'prepare';
          return await encode(view, asked, { sender, isForced }, context);
        }),
    });

  register({
    kind: 'create',
    summary: 'Build a CREATE',
    description:
      'Makes a token; the sender is its issuer for good. Pays the CREATE fee of the next block. The id of the token is known with the ' +
      'PSBT, before it is signed.',
    body: EncodeCreateBody,
    bodyExample: encodeExamples.createBody,
    read: async (_, body) => readCreate(body),
  });
  register({
    kind: 'mint',
    summary: 'Build a MINT',
    description: 'By the issuer, up to the cap and never in part; can close minting.',
    body: EncodeMintBody,
    bodyExample: encodeExamples.mintBody,
    read: (view, body) => readMint(view, body, context.profile),
  });
  register({
    kind: 'transfer',
    summary: 'Build a TRANSFER',
    description:
      'From the sender to one or several addresses; each gets an output of its own, which the payload names.',
    body: EncodeTokenTransferBody,
    bodyExample: encodeExamples.transferBody,
    read: (view, body) => readTransfer(view, body, context.profile),
  });
  register({
    kind: 'burn',
    summary: 'Build a BURN',
    description: "Destroys part of the sender's balance.",
    body: EncodeBurnBody,
    bodyExample: encodeExamples.burnBody,
    read: (view, body) => readBurn(view, body),
  });
  register({
    kind: 'sweep',
    summary: 'Build a SWEEP',
    description:
      'Moves all that the sender has of every token to another address, 32 tokens at most, the oldest first. `sweep` says which, as the chain stands.',
    body: EncodeSweepBody,
    bodyExample: encodeExamples.sweepBody,
    read: async (_, body) => readSweep(body, context),
  });
}

async function encode(
  view: ChainView,
  asked: AskedOperation,
  { sender, isForced }: { sender: Sender | undefined; isForced: boolean },
  context: TokenRouteContext,
): Promise<EncodedTokenJson> {
  const { profile } = context;
  const tip = getTip(view);
  const plan = planOperation(asked, tip.height + 1, context);
  const verdict = await judgePlan(view, plan, sender?.script, context);
  const sweep = await describePlannedSweep(view, plan, sender?.script);
  // Before the activation a transaction carries nothing, whoever sends it.
  const nextBlock = plan.height > tip.height + 1 ? { valid: false, reason: null } : verdict;
  const request = { sender, outputs: plan.outputs, invalidBecause: explain(plan, nextBlock), isForced };
  const { unsigned, fields } = await prepareEncoded(view, request, profile);
  const amount = (value: bigint) => formatAmount(value, profile.decimals);
  const tokenId = findTokenId(plan, unsigned, context);
  return {
    as_of: describeAsOf(tip),
    operation: kindNames[plan.operation.kind],
    token_id: tokenId === undefined ? null : bytesToHex(tokenId),
    payload: bytesToHex(plan.payload),
    script: bytesToHex(plan.outputs[0]!.script),
    sender: sender === undefined ? null : serialiseOwner(sender.script, profile),
    sweep,
    outputs: plan.outputs.map(({ purpose, script, value }) => ({
      purpose,
      ...serialiseOwner(script, profile),
      amount: amount(value),
    })),
    next_block: nextBlock,
    warnings: await listWarnings(view, plan, sender?.script, { verdict, sweep }, tip.height + 1, context),
    ...fields,
  };
}

/** Why the next block cannot have an operation; undefined where it can, or where it hangs on a sender. */
function explain({ operation }: TokenPlan, verdict: EncodedTokenJson['next_block']): string | undefined {
  if (verdict === null || verdict.valid) return undefined;
  if (verdict.reason !== null) return TOKEN_REASONS[verdict.reason];
  return operation.kind === 'sweep' ? tokenWarnings.sweep_inactive : tokenWarnings.tokens_inactive;
}

function findTokenId(
  { operation, payload }: TokenPlan,
  unsigned: Unsigned | undefined,
  { tokens }: TokenRouteContext,
): Uint8Array | undefined {
  if (operation.kind === 'sweep') return undefined;
  if (operation.kind !== 'create') return operation.tokenId;
  if (!unsigned?.ok) return undefined;
  const { txid, vout } = unsigned.inputs[0]!;
  return tokenIdOf({ prevTxid: txid, prevVout: vout }, payload, tokens.genesisPrefix);
}
