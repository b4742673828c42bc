import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import { regtest } from '@coinfront/protocol/testing/profiles.ts';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writePsbt } from '../../sdk/wallet/psbt-text.ts';
import { finaliseTransaction, signTransaction } from '../../sdk/wallet/sign-transaction.ts';
import { createFakeWallet, MNEMONIC, STRANGER } from '../../sdk/wallet/testing/fake-wallet.ts';
import { regtestNetwork } from '../../sdk/wallet/testing/networks.ts';
import { planPayment } from '../../sdk/wallet/transaction-plan.ts';
import { exportWatchOnly } from '../../sdk/wallet/watch-wallet.ts';
import { startBrowser, type TestBrowser, type Visitor } from '../harness/browser.ts';

const MODULES = [
  'hash-file',
  'mnemonic',
  'psbt-text',
  'review-transaction',
  'sign-message',
  'sign-transaction',
  'wallet-keys',
  'watch-wallet',
];
const COIN = 100_000_000n;

let browser: TestBrowser;
let visitor: Visitor;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-wallet-page-'));
  const entry = join(folder, 'entry.ts');
  const sdk = join(import.meta.dirname, '..', '..', 'sdk', 'wallet');
  const imports = MODULES.map(
    (name, i) => `import * as m${i} from ${JSON.stringify(join(sdk, `${name}.ts`))};`,
  );
  await writeFile(
    entry,
    `${imports.join('\n')}\nglobalThis.sdk = { ${MODULES.map((_, i) => `...m${i}`).join(', ')} };`,
  );
  const result = await build({
    root: join(import.meta.dirname, '..', '..'),
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, rolldownOptions: { input: entry } },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as { output: { code?: string }[] };
  browser = await startBrowser();
  visitor = await browser.openVisitor();
  await visitor.page.addScriptTag({ content: output[0]!.code!, type: 'module' });
  await visitor.page.waitForFunction('globalThis.sdk !== undefined');
});
afterAll(async () => {
  await browser?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a page makes the keys, reviews and signs what another machine built, and asks nobody', async () => {
  const wallet = createFakeWallet({ p2wpkh: [COIN], p2tr: [COIN], p2pkh: [COIN] });
  const built = await wallet.build(
    planPayment([{ address: STRANGER, amount: (5n * COIN) / 2n }], regtestNetwork),
  );
  const watch = exportWatchOnly(wallet.watch);
  const seen = await visitor.page.evaluate(
    ([mnemonic, json, text]) => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own bundle has no types here
      const { sdk } = globalThis as any;
      const { network } = sdk.importWatchOnly(json);
      const { watch, keys } = sdk.openWallet({ mnemonic, network });
      const psbt = sdk.readPsbt(text);
      const review = sdk.reviewTransaction(watch, psbt);
      const signed = sdk.signTransaction(keys, watch, psbt, { approval: review.approval });
      return {
        accounts: watch.accounts,
        approval: review.approval,
        signed: sdk.finaliseTransaction([psbt, signed]),
        message: sdk.signMessage(keys, { kind: 'p2tr', chain: 0, index: 0 }, 'From a page'),
        words: sdk.createMnemonic(24).split(' ').length,
      };
    },
    [MNEMONIC, watch, writePsbt(built.psbt)] as const,
  );
  expect(seen.accounts).toEqual(watch.accounts);
  expect(seen.approval).toBe(built.review.approval);
  expect(seen.words).toBe(24);
  const here = signTransaction(wallet.keys, wallet.watch, built.psbt, { approval: built.review.approval });
  expect(seen.signed.txid).toBe(finaliseTransaction([here]).txid);
  const address = built.review.inputs.find(({ owner }) => owner.kind === 'p2tr')!.owner.address;
  expect(verifySignedMessage(address, 'From a page', seen.message, regtest)).toMatchObject({ ok: true });
  expect(visitor.requests.filter((url) => !url.startsWith('about:'))).toEqual([]);
  expect(visitor.errors).toEqual([]);
});

test('a page hashes a file piece by piece', async () => {
  const seen = await visitor.page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own bundle has no types here
    const { sdk } = globalThis as any;
    const file = new File([new Uint8Array(3_000_000).fill(7)], 'secret name.bin');
    const steps: number[] = [];
    const digest = await sdk.hashFile(file, { onProgress: (bytes: number) => steps.push(bytes) });
    return { digest, steps };
  });
  expect(seen.digest).toBe(createHash('sha256').update(new Uint8Array(3_000_000).fill(7)).digest('hex'));
  expect(seen.steps.length).toBeGreaterThan(1);
  expect(seen.steps.at(-1)).toBe(3_000_000);
});
