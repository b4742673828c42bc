import {
  EncodeCommitBody,
  EncodedNameView,
  EncodeRecordsBody,
  EncodeRegisterBody,
  EncodeRenewBody,
  EncodeReverseBody,
  EncodeTransferBody,
} from '@coinfront/api/name-encode.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { nameCommitment } from '@coinfront/protocol/names/name-commitment.ts';
import { hashRecordsDocument } from '@coinfront/protocol/names/name-records.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import type { FastifyInstance } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { ChainView } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { readBodyAddress, readSender, type Sender, type SenderBody } from '../../../unsigned/read-sender.ts';
import { getTip } from '../get-tip.ts';
import type { NameRouteContext } from '../name-context.ts';
import { findCommit, findName, findRecordsHash, findReverse } from '../name-store.ts';
import { parseRequestName } from '../parse-request-name.ts';
import { makeDocument } from '../records/make-document.ts';
import { encodeExamples } from './encode-examples.ts';
import { completePlan, type PlanParts } from './name-plan.ts';
import { hasPendingCommit, hasPendingRegister } from './pending-names.ts';
import { mostRenewedPeriods, planRecords, planRenew, planReverse, planTransfer } from './plan-change.ts';
import { planCommit } from './plan-commit.ts';
import { planRegister } from './plan-register.ts';
import { serialisePlan } from './serialise-plan.ts';

/** A body with its sender, and the snapshot that the plan is made in. */
type Planning<B> = {
  body: B;
  view: ChainView;
  sender: Sender | undefined;
  /** Of the next block. */
  height: number;
};

/** What a route of this file is. */
type EncodeRoute<B extends TObject> = {
  kind: 'commit' | 'register' | 'transfer' | 'renew' | 'reverse' | 'records';
  summary: string;
  description: string;
  body: B;
  bodyExample: Static<B>;
  plan(planning: Planning<Static<B>>): Promise<PlanParts>;
};

const COMMON =
  ' The answer does not hang on a txid. With `address` there is a PSBT of its confirmed coins, which its wallet signs; the ' +
  'service never signs, and never sees a key. There is none while the next block cannot have the operation (`not_valid_now`), ' +
  'unless `force` asks for it. Input 0 has to spend an output of the sender, signed with SIGHASH_ALL.';

/** `POST /encode/commit`, `/register`, `/transfer`, `/renew`, `/reverse` and `/records`. */
export function registerEncodeRoutes(app: FastifyInstance, context: NameRouteContext): void {
  const { rules, profile, genesisPrefix } = context;

  const register = <B extends TObject>(route: EncodeRoute<B>): void =>
    registerCall(app, {
      method: 'POST',
      path: `/encode/${route.kind}`,
      body: route.body,
      response: EncodedNameView,
      cache: 'none',
      cost: 10,
      operation: {
        document: 'names',
        id: `encode${route.kind[0]!.toUpperCase()}${route.kind.slice(1)}`,
        tag: 'Transactions',
        summary: route.summary,
        description: route.description + COMMON,
        errors: [
          'name_invalid',
          'address_invalid',
          ...(route.kind === 'records' ? (['records_invalid'] as const) : []),
          'not_ready',
          'index_unavailable',
        ],
        bodyExample: route.bodyExample,
        example: encodeExamples.register,
      },
      call: ({ body }) =>
        context.readChain(async (view) => {
          const tip = getTip(view);
          const sender = await readSender(view, body as SenderBody, context);
          const parts = await route.plan({ body: body as Static<B>, view, sender, height: tip.height + 1 });
          const plan = completePlan(parts, rules, profile.dustLimit);
          const state = {
            name: plan.name && (await findName(view.reader, plan.name.name)),
            commit: plan.commitment && (await findCommit(view.reader, plan.commitment)),
          };
          const isForced = (body as { force?: 'prepare' }).force === 'prepare';
          return await serialisePlan(view, tip, plan, state, { sender, isForced }, context);
        }),
    });

  register({
    kind: 'commit',
    summary: 'Build a commit',
    description:
      'The first of two steps to a name: it hides which, so that nobody can be faster. Give `name`, `salt` and the `owner`-to-be, ' +
      'or only the `commitment`, which the wallet can make itself. Costs the network fee alone. Keep the salt: without it the ' +
      'commitment is worth nothing.',
    body: EncodeCommitBody,
    bodyExample: encodeExamples.commitBody,
    async plan({ body, view, sender, height }) {
      const name = body.name === undefined ? undefined : parseRequestName(body.name, rules);
      const salt = body.salt === undefined ? undefined : getHexBytes(body.salt);
      const commitment = readCommitment(body, sender);
      const record = name && (await findName(view.reader, name.name));
      const commit = await findCommit(view.reader, commitment);
      return planCommit({ commitment, name, salt, sender: sender?.script, record, commit, height }, rules);
    },
  });

  register({
    kind: 'register',
    summary: 'Build a register',
    description:
      'The second step: it reveals name and salt and pays the price. Only the address that was committed to can send it, ' +
      'from `earliest` to `latest`; sent too early it is invalid, and what it pays is lost.',
    body: EncodeRegisterBody,
    bodyExample: encodeExamples.registerBody,
    async plan({ body, view, sender, height }) {
      const name = parseRequestName(body.name, rules);
      checkPeriods(body.periods, rules.maxPeriods);
      const salt = getHexBytes(body.salt);
      const script = sender?.script;
      const commitment =
        script && nameCommitment({ ownerScript: script, salt, name: name.name }, genesisPrefix);
      const record = await findName(view.reader, name.name);
      const commit = commitment && (await findCommit(view.reader, commitment));
      const isCommitPending =
        script !== undefined &&
        commitment !== undefined &&
        commit === undefined &&
        (await hasPendingCommit(view, script, commitment, rules));
      const isRacePending = await hasPendingRegister(view, name.name, rules);
      const { periods } = body;
      return planRegister(
        {
          name,
          salt,
          periods,
          sender: script,
          commitment,
          record,
          commit,
          isCommitPending,
          isRacePending,
          height,
        },
        rules,
      );
    },
  });

  register({
    kind: 'transfer',
    summary: 'Build a transfer',
    description:
      'Gives a name to the owner of the output behind the carrier, at once and for good. Only its owner can send it.',
    body: EncodeTransferBody,
    bodyExample: encodeExamples.transferBody,
    async plan({ body, view, sender, height }) {
      const name = parseRequestName(body.name, rules);
      const script = readBodyAddress(body.to, 'to', profile);
      if (script[0] === OP_RETURN) throw new AppError('address_invalid', '"to" cannot own a name.');
      const recipient = { script, value: readGift(body.amount) };
      const record = await findName(view.reader, name.name);
      const shown = record && (await findReverse(view.reader, record.owner));
      const records = await findRecordsHash(view.reader, name.name);
      return planTransfer({ name, sender: sender?.script, record, height, recipient, shown, records }, rules);
    },
  });

  register({
    kind: 'renew',
    summary: 'Build a renewal',
    description: 'Adds periods to the expiry of a name, until its grace is over. Anybody can pay for it.',
    body: EncodeRenewBody,
    bodyExample: encodeExamples.renewBody,
    async plan({ body, view, sender, height }) {
      const name = parseRequestName(body.name, rules);
      checkPeriods(body.periods, mostRenewedPeriods(rules));
      const record = await findName(view.reader, name.name);
      return planRenew({ name, sender: sender?.script, record, height, periods: body.periods }, rules);
    },
  });

  register({
    kind: 'reverse',
    summary: 'Build a reverse record',
    description:
      'Says with which of its names an address is shown, or with none. Only the address itself can send it, and only a name that resolves to ' +
      'it can be set. Costs the network fee alone.',
    body: EncodeReverseBody,
    bodyExample: encodeExamples.reverseBody,
    async plan({ body, view, sender, height }) {
      if (rules.reverseActivationHeight === undefined)
        throw new AppError('invalid_body', `${profile.name} has no reverse records: no block can have one.`);
      const name = body.name === null ? undefined : parseRequestName(body.name, rules);
      const record = name && (await findName(view.reader, name.name));
      const shown = sender && (await findReverse(view.reader, sender.script));
      return planReverse({ name, sender: sender?.script, record, height, shown }, rules);
    },
  });

  register({
    kind: 'records',
    summary: 'Build text records',
    description:
      'Puts the hash of the text records of a name on the chain; only its owner can send it. Once a block has it, the records are given to ' +
      'services (`PUT /name/{name}/records`). Costs the network fee alone.',
    body: EncodeRecordsBody,
    bodyExample: encodeExamples.recordsBody,
    async plan({ body, view, sender, height }) {
      if (rules.recordsActivationHeight === undefined)
        throw new AppError('invalid_body', `${profile.name} has no text records: no block can have any.`);
      const name = parseRequestName(body.name, rules);
      const hash = readRecordsHash(body);
      const record = await findName(view.reader, name.name);
      const known = await findRecordsHash(view.reader, name.name);
      return planRecords({ name, sender: sender?.script, record, height, hash, known }, rules);
    },
  });

  /** @throws AppError `invalid_body`, `records_invalid` */
  function readRecordsHash({ name, records, hash }: Static<typeof EncodeRecordsBody>): Uint8Array {
    if ((records === undefined) === (hash === undefined))
      throw new AppError('invalid_body', 'Give either "records" or "hash", which may be null.');
    if (records !== undefined) return hashRecordsDocument(makeDocument(name, records));
    return hash === null || hash === undefined ? new Uint8Array(32) : getHexBytes(hash);
  }

  /** @throws AppError `invalid_body`, `address_invalid` */
  function readCommitment(body: Static<typeof EncodeCommitBody>, sender: Sender | undefined): Uint8Array {
    const { commitment, name, salt, owner } = body;
    const isParts = name !== undefined || salt !== undefined || owner !== undefined;
    if (commitment !== undefined && !isParts) return getHexBytes(commitment);
    const ownerScript = owner === undefined ? sender?.script : readBodyAddress(owner, 'owner', profile);
    if (commitment !== undefined || name === undefined || salt === undefined || ownerScript === undefined) {
      const detail =
        'Give either "commitment", or "name", "salt" and "owner" (or "address", when it will own the name).';
      throw new AppError('invalid_body', detail);
    }
    return nameCommitment({ ownerScript, salt: getHexBytes(salt), name }, genesisPrefix);
  }

  /** @throws AppError `invalid_body` */
  function checkPeriods(periods: number, most: number): void {
    if (periods <= most) return;
    const detail = `"periods" is ${periods}: no block can have it, for ${most} are the most at once.`;
    throw new AppError('invalid_body', detail);
  }

  /** @throws AppError `invalid_body` */
  function readGift(text: string | undefined): bigint {
    const { dustLimit: least } = profile;
    if (text === undefined) return least;
    const parsed = parseAmount(text, profile.decimals);
    if (!parsed.ok) throw new AppError('invalid_body', `"amount": ${parsed.reason}.`);
    if (parsed.value >= least) return parsed.value;
    throw new AppError('invalid_body', '"amount" is too small: nodes would not relay the output.');
  }
}
