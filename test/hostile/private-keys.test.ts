import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBase58check } from '@scure/base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../protocol/hash.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { findFaultOf, openRaw, parseAnswers } from '../harness/raw-http.ts';
import { startService, type TestService } from '../harness/service.ts';

const base58check = createBase58check(sha256);

/** BIP-32, test vector 1. */
const XPRV =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';

function withVersion(key: string, version: number): string {
  const bytes = base58check.decode(key);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, version);
  return base58check.encode(bytes);
}

/** BIP-39's vectors of 12 and of 24 words. */
const WORDS = {
  'a mnemonic of 12 words': 'legal winner thank year wave sausage worth useful legal winner thank yellow',
  'a mnemonic of 24 words': `${'letter advice cage absurd amount doctor acoustic avoid '.repeat(2)}letter advice cage absurd amount doctor acoustic bless`,
};

let node: TestNode;
let secrets: Record<string, string>;

beforeAll(async () => {
  node = await startNode();
  await node.mine(1);
  secrets = {
    "a key of the node's own wallet": await node.rpc<string>('dumpprivkey', await node.newAddress()),
    'a WIF key of another coin': 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
    'an uncompressed WIF key': '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ',
    'an extended private key': XPRV,
    'an extended private key of a test network': withVersion(XPRV, 0x04358394),
    'an extended private key of segwit': withVersion(XPRV, 0x04b2430c),
    ...WORDS,
  };
});
afterAll(() => node.stop());

describe('a private key that is sent to the service', () => {
  let service: TestService;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'coinfront-keys-'));
    service = await startService({
      nodeUrl: node.url,
      database: { kind: 'sqlite', dataDir },
      // The most that an operator can have logged.
      settings: { COINFRONT_LOG_LEVEL: 'trace' },
    });
  });
  afterAll(async () => {
    await service.kill();
    await rm(dataDir, { recursive: true });
  });

  /** Neither the answer nor the log holds the secret, or a part of it that would help to guess it. */
  function expectNoTrace(secret: string, answer: string): void {
    const parts = [secret, secret.slice(0, 25), secret.slice(-25), encodeURIComponent(secret).slice(-25)];
    for (const part of parts) {
      expect(answer).not.toContain(part);
      expect(service.printed()).not.toContain(part);
    }
  }

  test('is refused by its own code in a path, a query and a body, and leaves no trace', async () => {
    for (const [what, secret] of Object.entries(secrets)) {
      const encoded = encodeURIComponent(secret);
      const answers = [
        await service.get(`/api/v1/address/${encoded}`),
        await service.get(`/api/v1/search?q=${encoded}`),
        await service.get(`/api/v1/search?q=${encoded.replaceAll('%20', '+')}`),
        await service.get(`/api/v1/blocks?${encoded}=1`),
        await service.get(`/no/such/path/${encoded}`),
        await service.post('/api/v1/broadcast', { raw_tx: secret }),
        await service.post('/api/v1/broadcast', { raw_tx: '00', note: `my key is ${secret}.` }),
        await service.post('/api/v1/broadcast', { raw_tx: '00', lines: secret.match(/\S{1,40}/g) }),
        await service.post('/api/treasury/contributors', { nickname: secret.replaceAll(' ', '-') }),
      ];
      for (const { status, json, text } of answers) {
        expect([what, status, json.code]).toEqual([what, 400, 'private_key_refused']);
        expectNoTrace(secret, text);
      }
      const asText = await service.post('/esplora/tx', secret);
      expect([what, asText.status]).toEqual([what, 400]);
      expectNoTrace(secret, asText.text);
    }
  });

  test('leaves no trace wherever else it stands: in what is malformed, in headers, in bodies nobody reads', async () => {
    for (const secret of Object.values(secrets)) {
      const body = JSON.stringify({ raw_tx: secret });
      const head = `Host: coin.example\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`;
      const requests = [
        `${secret}\r\n\r\n`,
        `GET /${secret} HTTP/9.9\r\n\r\n`,
        `GET /${secret} HTTP/1.1\r\nHost: coin.example\r\nbroken\r\n\r\n`,
        `POST /api/v1/broadcast HTTP/1.1\r\n${head}\r\n${body}`,
        `POST /api/v1/broadcast HTTP/1.1\r\n${head}Content-Type: text/html\r\n\r\n${body}`,
        `POST /api/v1/broadcast HTTP/1.1\r\n${head}Content-Type: application/json\r\n\r\n${body.replace('}', ',')}`,
        `PUT /nowhere HTTP/1.1\r\n${head}Content-Type: application/json\r\nX-Key: ${secret}\r\n\r\n${body}`,
      ];
      for (const request of requests) {
        const received = await openRaw(service.origin, request).closed;
        expect(parseAnswers(received).map(findFaultOf)).toEqual([undefined]);
        expectNoTrace(secret, received);
      }
      const { status, text } = await service.get('/api/v1/blocks', { authorization: secret, cookie: secret });
      expect(status).toBe(200);
      expectNoTrace(secret, text);
    }
  });
});
