import type { FuzzTarget } from '../target.ts';

/** Every target by its name; loaded when it is wanted, since some bring a whole service. */
export const loadTarget = {
  transaction: async () => (await import('./transaction.ts')).transactionTarget,
  'transaction-part': async () => (await import('./transaction-part.ts')).transactionPartTarget,
  block: async () => (await import('./block.ts')).blockTarget,
  'spent-outputs': async () => (await import('./spent-outputs.ts')).spentOutputsTarget,
  script: async () => (await import('./script.ts')).scriptTarget,
  carriers: async () => (await import('./carriers.ts')).carriersTarget,
  'rpc-answer': async () => (await import('./rpc-answer.ts')).rpcAnswerTarget,
  p2p: async () => (await import('./p2p.ts')).p2pTarget,
  psbt: async () => (await import('./psbt.ts')).psbtTarget,
  'wallet-answers': async () => (await import('./wallet-answers.ts')).walletAnswersTarget,
  'payment-uri': async () => (await import('./payment-uri.ts')).paymentUriTarget,
  texts: async () => (await import('./texts.ts')).textsTarget,
  'signed-message': async () => (await import('./signed-message.ts')).signedMessageTarget,
  'private-keys': async () => (await import('./private-keys.ts')).privateKeysTarget,
  'request-texts': async () => (await import('./request-texts.ts')).requestTextsTarget,
  'search-texts': async () => (await import('./search-texts.ts')).searchTextsTarget,
  shop: async () => (await import('./shop.ts')).shopTarget,
  'http-texts': async () => (await import('./http-texts.ts')).httpTextsTarget,
  'http-parts': async () => (await import('./http-parts.ts')).httpPartsTarget,
  'http-answers': async () => (await import('./http-answers.ts')).httpAnswersTarget,
  electrum: async () => (await import('./electrum.ts')).electrumTarget,
  'proof-json': async () => (await import('./proof-json.ts')).proofJsonTarget,
  'signed-log': async () => (await import('./signed-log.ts')).signedLogTarget,
  image: async () => (await import('./image.ts')).imageTarget,
  'run-file': async () => (await import('./run-file.ts')).runFileTarget,
  'tx-log': async () => (await import('./tx-log.ts')).txLogTarget,
  outside: async () => (await import('./outside.ts')).outsideTarget,
} satisfies Record<string, () => Promise<FuzzTarget>>;

/** A name of {@link loadTarget}. */
export type TargetName = keyof typeof loadTarget;

/** All names, in the order in which they are tried. */
export const targetNames = Object.keys(loadTarget) as TargetName[];
