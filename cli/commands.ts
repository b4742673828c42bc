import { addressCommand } from './commands/address.ts';
import { balanceCommand } from './commands/balance.ts';
import { bumpCommand } from './commands/bump.ts';
import { makeCompletionCommands } from './commands/completion.ts';
import { exportCommand } from './commands/export.ts';
import { historyCommand } from './commands/history.ts';
import { initCommand } from './commands/init.ts';
import { nameListCommand } from './commands/name-list.ts';
import { nameRegisterCommand } from './commands/name-register.ts';
import { nameRenewCommand } from './commands/name-renew.ts';
import { nameShowCommand } from './commands/name-show.ts';
import { nameTransferCommand } from './commands/name-transfer.ts';
import { nodeRegisterCommand } from './commands/node-register.ts';
import { nodeShowCommand } from './commands/node-show.ts';
import { nodeStatusCommand } from './commands/node-status.ts';
import { payCommand } from './commands/pay.ts';
import { proofAnchorCommand } from './commands/proof-anchor.ts';
import { proofVerifyCommand } from './commands/proof-verify.ts';
import { restoreCommand } from './commands/restore.ts';
import { sendCommand } from './commands/send.ts';
import { sendPsbtCommand } from './commands/send-psbt.ts';
import { signCommand } from './commands/sign.ts';
import { signPsbtCommand } from './commands/sign-psbt.ts';
import { statusCommand } from './commands/status.ts';
import { tokenBurnCommand } from './commands/token-burn.ts';
import { tokenCreateCommand } from './commands/token-create.ts';
import { tokenDescribeCommand } from './commands/token-describe.ts';
import { tokenListCommand } from './commands/token-list.ts';
import { tokenMintCommand } from './commands/token-mint.ts';
import { tokenShowCommand } from './commands/token-show.ts';
import { tokenTransferCommand } from './commands/token-transfer.ts';
import { treasuryContributeCommand } from './commands/treasury-contribute.ts';
import { treasuryJoinCommand } from './commands/treasury-join.ts';
import { treasuryMeCommand } from './commands/treasury-me.ts';
import { treasuryProfileCommand } from './commands/treasury-profile.ts';
import { treasuryStatusCommand } from './commands/treasury-status.ts';
import { treasuryVerifyCommand } from './commands/treasury-verify.ts';
import { verifyCommand } from './commands/verify.ts';
import type { Command } from './shell/command.ts';

const own: readonly Command[] = [
  initCommand,
  restoreCommand,
  exportCommand,
  addressCommand,
  balanceCommand,
  historyCommand,
  sendCommand,
  sendPsbtCommand,
  payCommand,
  bumpCommand,
  proofAnchorCommand,
  proofVerifyCommand,
  nameShowCommand,
  nameRegisterCommand,
  nameRenewCommand,
  nameTransferCommand,
  nameListCommand,
  tokenShowCommand,
  tokenCreateCommand,
  tokenMintCommand,
  tokenTransferCommand,
  tokenBurnCommand,
  tokenDescribeCommand,
  tokenListCommand,
  nodeStatusCommand,
  nodeRegisterCommand,
  nodeShowCommand,
  treasuryJoinCommand,
  treasuryStatusCommand,
  treasuryContributeCommand,
  treasuryMeCommand,
  treasuryProfileCommand,
  treasuryVerifyCommand,
  signCommand,
  signPsbtCommand,
  verifyCommand,
  statusCommand,
];

/** Every command: what parsing, help and completions are made from. */
export const commands: readonly Command[] = [...own, ...makeCompletionCommands(() => commands)];
