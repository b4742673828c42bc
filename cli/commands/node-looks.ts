import { type Receipt, verifyRegistrySignature } from '@coinfront/protocol/registry/receipt.ts';
import { listReceipts } from '@coinfront/sdk/nodes/list-receipts.ts';
import { type VotesVerdict, verifyVotes } from '@coinfront/sdk/verify/verify-votes.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { followKnownRegistry } from '../service/follow-registry.ts';
import { misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { exitCodes } from '../shell/exit-codes.ts';

const MAX_SLOTS = 100;

export const nodeLooksCommand = defineCommand({
  name: 'node looks',
  summary: 'who saw a node in its latest slots, checked against what the vantage points have signed',
  details: `Reads the latest receipts of the node and the statements that they name, checks all signatures, and works each verdict out anew.
Exit code 6: a receipt is not signed by its registry, its verdict is not that of the statements, or the registry's log does not go on from what
this wallet has seen of it.`,
  args: [{ name: 'key', summary: "the node's key" }],
  options: { slots: { value: '<number>', summary: 'receipts to look at; 5 unless given' } },
  async run(context, { args, options }) {
    const limit = Number(options.slots ?? 5);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_SLOTS)
      throw misuse(`--slots is a number from 1 to ${MAX_SLOTS}.`);
    const connection = await connectWallet(context, await loadWallet(context));
    const { client } = connection;
    await followKnownRegistry(context, connection);
    const { items } = await listReceipts(client, { node_key: args.key, limit });
    const checked: { receipt: Receipt; verdict: VotesVerdict }[] = [];
    for (const { receipt: given, signature } of items) {
      const receipt = given as Receipt;
      const verdict: VotesVerdict = verifyRegistrySignature(receipt, signature)
        ? await verifyVotes(client, receipt)
        : { ok: false, fault: 'the registry has not signed it' };
      checked.push({ receipt, verdict });
    }
    return {
      json: checked.map(({ receipt, verdict }) => ({
        ...{
          sequence: receipt.sequence,
          slots: receipt.slots,
          verdict: receipt.verdict,
          reason: receipt.reason,
        },
        ...{ votes: receipt.votes ?? null, fault: verdict.ok ? null : verdict.fault },
      })),
      lines: checked.length === 0 ? ['Nothing has been judged of this node yet.'] : checked.flatMap(describe),
      exitCode: checked.some(({ verdict }) => !verdict.ok) ? exitCodes.invalid : exitCodes.done,
    };
  },
});

function describe({ receipt, verdict }: { receipt: Receipt; verdict: VotesVerdict }): string[] {
  const { slots, votes, registry_key } = receipt;
  const said = (result: string, reason: string | null) =>
    reason === null ? result : `${result} (${reason})`;
  return [
    `${slots.to}  ${said(receipt.verdict, receipt.reason)}`,
    ...(verdict.ok ? [] : [`  WARNING: ${verdict.fault}`]),
    ...(votes === undefined ? ['  by the registry alone'] : []),
    ...(votes ?? []).map(
      ({ vantage, result, reason }) =>
        `  ${vantage.slice(0, 16)}…  ${said(result, reason)}${vantage === registry_key ? ', the registry' : ''}`,
    ),
  ];
}
