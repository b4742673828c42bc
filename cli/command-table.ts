import type { Command } from './shell/command.ts';
import { findWords } from './shell/parse-arguments.ts';

/** Every command by its name, in the order of help; each is loaded when it is needed: a wallet should answer sooner than all of them load. */
export const commandTable: readonly (readonly [name: string, load: () => Promise<Command>])[] = [
  ['init', async () => (await import('./commands/init.ts')).initCommand],
  ['restore', async () => (await import('./commands/restore.ts')).restoreCommand],
  ['export', async () => (await import('./commands/export.ts')).exportCommand],
  ['address', async () => (await import('./commands/address.ts')).addressCommand],
  ['balance', async () => (await import('./commands/balance.ts')).balanceCommand],
  ['history', async () => (await import('./commands/history.ts')).historyCommand],
  ['send', async () => (await import('./commands/send.ts')).sendCommand],
  ['send psbt', async () => (await import('./commands/send-psbt.ts')).sendPsbtCommand],
  ['pay', async () => (await import('./commands/pay.ts')).payCommand],
  ['bump', async () => (await import('./commands/bump.ts')).bumpCommand],
  ['proof anchor', async () => (await import('./commands/proof-anchor.ts')).proofAnchorCommand],
  ['proof verify', async () => (await import('./commands/proof-verify.ts')).proofVerifyCommand],
  ['name show', async () => (await import('./commands/name-show.ts')).nameShowCommand],
  ['name register', async () => (await import('./commands/name-register.ts')).nameRegisterCommand],
  ['name renew', async () => (await import('./commands/name-renew.ts')).nameRenewCommand],
  ['name transfer', async () => (await import('./commands/name-transfer.ts')).nameTransferCommand],
  ['name reverse', async () => (await import('./commands/name-reverse.ts')).nameReverseCommand],
  ['name records', async () => (await import('./commands/name-records.ts')).nameRecordsCommand],
  ['name list', async () => (await import('./commands/name-list.ts')).nameListCommand],
  ['token show', async () => (await import('./commands/token-show.ts')).tokenShowCommand],
  ['token create', async () => (await import('./commands/token-create.ts')).tokenCreateCommand],
  ['token mint', async () => (await import('./commands/token-mint.ts')).tokenMintCommand],
  ['token sweep', async () => (await import('./commands/token-sweep.ts')).tokenSweepCommand],
  ['token swap offer', async () => (await import('./commands/token-swap-offer.ts')).tokenSwapOfferCommand],
  ['token swap accept', async () => (await import('./commands/token-swap-accept.ts')).tokenSwapAcceptCommand],
  [
    'token swap prepare',
    async () => (await import('./commands/token-swap-prepare.ts')).tokenSwapPrepareCommand,
  ],
  ['token swap sign', async () => (await import('./commands/token-swap-sign.ts')).tokenSwapSignCommand],
  ['token swap fund', async () => (await import('./commands/token-swap-fund.ts')).tokenSwapFundCommand],
  ['token swap buy', async () => (await import('./commands/token-swap-buy.ts')).tokenSwapBuyCommand],
  [
    'token swap complete',
    async () => (await import('./commands/token-swap-complete.ts')).tokenSwapCompleteCommand,
  ],
  ['token swap refund', async () => (await import('./commands/token-swap-refund.ts')).tokenSwapRefundCommand],
  ['token swap cancel', async () => (await import('./commands/token-swap-cancel.ts')).tokenSwapCancelCommand],
  ['token swap list', async () => (await import('./commands/token-swap-list.ts')).tokenSwapListCommand],
  ['token transfer', async () => (await import('./commands/token-transfer.ts')).tokenTransferCommand],
  ['token burn', async () => (await import('./commands/token-burn.ts')).tokenBurnCommand],
  ['token describe', async () => (await import('./commands/token-describe.ts')).tokenDescribeCommand],
  ['token list', async () => (await import('./commands/token-list.ts')).tokenListCommand],
  ['node status', async () => (await import('./commands/node-status.ts')).nodeStatusCommand],
  ['node register', async () => (await import('./commands/node-register.ts')).nodeRegisterCommand],
  ['node log', async () => (await import('./commands/node-log.ts')).nodeLogCommand],
  ['node show', async () => (await import('./commands/node-show.ts')).nodeShowCommand],
  ['node looks', async () => (await import('./commands/node-looks.ts')).nodeLooksCommand],
  ['node alerts', async () => (await import('./commands/node-alerts.ts')).nodeAlertsCommand],
  ['treasury join', async () => (await import('./commands/treasury-join.ts')).treasuryJoinCommand],
  ['treasury status', async () => (await import('./commands/treasury-status.ts')).treasuryStatusCommand],
  [
    'treasury contribute',
    async () => (await import('./commands/treasury-contribute.ts')).treasuryContributeCommand,
  ],
  ['treasury me', async () => (await import('./commands/treasury-me.ts')).treasuryMeCommand],
  ['treasury profile', async () => (await import('./commands/treasury-profile.ts')).treasuryProfileCommand],
  ['treasury verify', async () => (await import('./commands/treasury-verify.ts')).treasuryVerifyCommand],
  ['treasury claim', async () => (await import('./commands/treasury-claim.ts')).treasuryClaimCommand],
  ['treasury receipt', async () => (await import('./commands/treasury-receipt.ts')).treasuryReceiptCommand],
  ['treasury ledger', async () => (await import('./commands/treasury-ledger.ts')).treasuryLedgerCommand],
  ['sign', async () => (await import('./commands/sign.ts')).signCommand],
  ['sign psbt', async () => (await import('./commands/sign-psbt.ts')).signPsbtCommand],
  ['verify', async () => (await import('./commands/verify.ts')).verifyCommand],
  ['state', async () => (await import('./commands/state.ts')).stateCommand],
  ['status', async () => (await import('./commands/status.ts')).statusCommand],
];

/** The commands that a command line may mean: the one that it names, or else all of them. */
export async function findCommands(argv: readonly string[]): Promise<readonly Command[]> {
  const { words } = findWords(argv);
  for (const wordCount of [3, 2, 1]) {
    const found = commandTable.find(([name]) => name === words.slice(0, wordCount).join(' '));
    if (found !== undefined) return [await found[1]()];
  }
  return (await import('./commands.ts')).commands;
}
