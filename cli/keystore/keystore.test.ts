import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMnemonic } from '@coinfront/sdk/wallet/mnemonic.ts';
import type { Network } from '@coinfront/sdk/wallet/network.ts';
import { openWallet } from '@coinfront/sdk/wallet/wallet-keys.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Context, GlobalOptions } from '../shell/context.ts';
import { loadWallet, sealWallet, unlockWallet } from './open-wallet-file.ts';
import { readNewPassphrase } from './passphrase.ts';
import { openSecret, sealSecret } from './seal-secret.ts';
import { readWalletFile, secretContext, writeWalletFile } from './wallet-file.ts';

const network: Network = {
  id: 'regtest',
  name: 'Regtest Coin',
  ticker: 'RCOIN',
  decimals: 8,
  chain: 'regtest',
  genesisHash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
  uriScheme: 'coin',
  address: { p2pkhVersions: [111], p2shVersions: [58, 196], bech32Hrp: 'rltc' },
  extendedPublicVersion: 0x043587cf,
  extendedPrivateVersion: 0x04358394,
  bip44CoinType: 1,
  messageMagic: 'Litecoin Signed Message:\n',
  coinbaseMaturity: 100,
  dustLimit: 5460n,
};
const passphrase = 'correct horse';
/** The usual cost would be most of the time of these tests; one of them has it. */
const lowCost = { n: 1024, r: 8, p: 1 };
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coin-keystore-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A context in which a person types these lines. */
function contextOf(options: GlobalOptions, typed: string[] = []): Context {
  const type = async () => typed.shift()!;
  const none = () => {};
  return {
    options,
    home: folder,
    signal: new AbortController().signal,
    terminal: {
      isInteractive: typed.length > 0,
      isWatched: false,
      print: none,
      note: none,
      ask: type,
      askSecret: type,
    },
  };
}

async function makeWalletFile(path: string) {
  const mnemonic = createMnemonic(24);
  const { watch } = openWallet({ mnemonic, network });
  const secret = await sealSecret(
    Buffer.from(JSON.stringify({ mnemonic, passphrase: '' })),
    passphrase,
    secretContext(watch),
    lowCost,
  );
  await writeWalletFile(path, { watch, service: 'http://127.0.0.1:8080', secret });
  return { mnemonic, watch };
}

describe('a sealed secret', () => {
  const secret = Buffer.from('the words');

  test('opens by its passphrase alone, however its letters were composed', async () => {
    const sealed = await sealSecret(secret, 'caf\u00e9 au lait', 'context', lowCost);
    expect(JSON.stringify(sealed)).not.toContain(secret.toString('base64'));
    expect(await openSecret(sealed, 'cafe\u0301 au lait', 'context')).toEqual(secret);
    await expect(openSecret(sealed, 'cafe au lait', 'context')).rejects.toMatchObject({
      code: 'passphrase_wrong',
    });
  });

  test('of a wallet costs a guesser 128 MiB for each guess', async () => {
    const { watch } = openWallet({ mnemonic: createMnemonic(12), network });
    const { n, r, kdf } = await sealWallet({ mnemonic: '', passphrase: '' }, watch, passphrase);
    expect({ kdf, bytes: 128 * n * r }).toEqual({ kdf: 'scrypt', bytes: 128 * 2 ** 20 });
  });

  test('never has the same salt or nonce', async () => {
    const [first, second] = [
      await sealSecret(secret, passphrase, '', lowCost),
      await sealSecret(secret, passphrase, '', lowCost),
    ];
    expect(first.salt).not.toBe(second.salt);
    expect(first.nonce).not.toBe(second.nonce);
    expect(first.ciphertext).not.toBe(second.ciphertext);
  });

  test('does not open changed, cut, or in another wallet', async () => {
    const sealed = await sealSecret(secret, passphrase, 'this wallet', lowCost);
    const bytes = Buffer.from(sealed.ciphertext, 'base64');
    const flipped = Buffer.from(bytes);
    flipped[0]! ^= 1;
    const open = (ciphertext: Buffer, context = 'this wallet') =>
      openSecret({ ...sealed, ciphertext: ciphertext.toString('base64') }, passphrase, context);
    const wrong = { code: 'passphrase_wrong' };
    await expect(open(flipped)).rejects.toMatchObject(wrong);
    await expect(open(bytes.subarray(0, -1))).rejects.toMatchObject(wrong);
    await expect(open(Buffer.alloc(0))).rejects.toMatchObject(wrong);
    await expect(open(bytes, 'another')).rejects.toMatchObject(wrong);
    expect(await open(bytes)).toEqual(secret);
  });

  test.each([{ n: 2 ** 24 }, { n: 1000 }, { n: -2 }, { r: 2 ** 20 }, { p: 1000 }, { kdf: 'none' }])(
    'that asks for %j is not opened',
    async (change) => {
      const sealed = { ...(await sealSecret(secret, passphrase, '', lowCost)), ...change } as Awaited<
        ReturnType<typeof sealSecret>
      >;
      await expect(openSecret(sealed, passphrase, '')).rejects.toMatchObject({ code: 'wallet_file_invalid' });
    },
  );
});

describe('the file of a wallet', () => {
  test('is for its owner only, whole, and holds no word in the clear', async () => {
    const path = join(folder, 'deep', 'wallet.json');
    const { mnemonic, watch } = await makeWalletFile(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, 'deep'))).toEqual(['wallet.json']);
    const text = await readFile(path, 'utf8');
    const words = mnemonic.split(' ');
    // One word alone may be a word of the format, such as "salt".
    for (const [index, word] of words.slice(1).entries()) {
      expect(text).not.toMatch(new RegExp(`\\b${words[index]}\\W+${word}\\b`));
    }
    expect((await readWalletFile(path)).watch).toEqual(watch);
  });

  test('is written though a process of the same number was killed while it wrote one', async () => {
    const path = join(folder, 'wallet.json');
    await writeFile(`${path}.${process.pid}.new`, '{');
    const { watch } = await makeWalletFile(path);
    expect((await readWalletFile(path)).watch).toEqual(watch);
  });

  test('is never overwritten', async () => {
    const path = join(folder, 'wallet.json');
    await makeWalletFile(path);
    const before = await readFile(path, 'utf8');
    await expect(makeWalletFile(path)).rejects.toMatchObject({ code: 'wallet_exists', exitCode: 5 });
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(await readdir(folder)).toEqual(['wallet.json']);
  });

  test('is refused when others can read it, and when it is none', async () => {
    const path = join(folder, 'wallet.json');
    await expect(readWalletFile(path)).rejects.toMatchObject({ code: 'wallet_missing' });
    await makeWalletFile(path);
    await chmod(path, 0o640);
    await expect(readWalletFile(path)).rejects.toMatchObject({ code: 'wallet_file_open' });
    await chmod(path, 0o600);
    for (const text of ['', '{}', '[]', '{"format":"coin-wallet","version":2,"service":""}']) {
      await writeFile(path, text);
      await expect(readWalletFile(path)).rejects.toMatchObject({ code: 'wallet_file_invalid' });
    }
  });

  test('gives its keys for the passphrase, and none when its accounts were changed', async () => {
    const path = join(folder, 'wallet.json');
    const context = contextOf({ wallet: path }, [passphrase, passphrase, passphrase]);
    await makeWalletFile(path);
    const file = await loadWallet(context);
    const keys = await unlockWallet(context, file);
    expect(keys.fingerprint).toBe(file.watch.fingerprint);
    keys.wipe();
    const { accounts } = openWallet({ mnemonic: createMnemonic(12), network }).watch;
    const changed = { ...file, watch: { ...file.watch, accounts } };
    await expect(unlockWallet(context, changed)).rejects.toMatchObject({ code: 'wallet_file_invalid' });
    const foreign = { ...file, watch: { ...file.watch, fingerprint: file.watch.fingerprint + 1 } };
    await expect(unlockWallet(context, foreign)).rejects.toMatchObject({ code: 'passphrase_wrong' });
    await expect(unlockWallet(context, { ...file, secret: undefined })).rejects.toMatchObject({
      code: 'watch_only',
    });
  });
});

describe('a new passphrase', () => {
  test('is typed twice, and is not short', async () => {
    expect(await readNewPassphrase(contextOf({}, [passphrase, passphrase]))).toBe(passphrase);
    await expect(readNewPassphrase(contextOf({}, [passphrase, 'another one']))).rejects.toMatchObject({
      code: 'passphrase_mismatch',
    });
    await expect(readNewPassphrase(contextOf({}, ['short']))).rejects.toMatchObject({
      code: 'passphrase_weak',
    });
    await expect(readNewPassphrase(contextOf({}))).rejects.toMatchObject({
      code: 'passphrase_needed',
      exitCode: 5,
    });
  });

  test('comes from a file, whose last line break is none of it', async () => {
    const file = join(folder, 'passphrase');
    await writeFile(file, 'two words \n');
    expect(await readNewPassphrase(contextOf({ 'passphrase-file': file }))).toBe('two words ');
  });
});
