import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bitcoin } from '../testing/profiles.ts';
import {
  buildSignedMessageVectors,
  signedMessageVectorsText,
} from '../testing/vectors/signed-message-vectors.ts';
import { messageFaults } from './verdict.ts';
import { verifySignedMessage } from './verify-signed-message.ts';

const read = (path: string) => readFileSync(new URL(`../../docs/protocols/${path}`, import.meta.url), 'utf8');
const { vectors } = buildSignedMessageVectors();

describe('the published vectors of signed messages', () => {
  test('the file holds what scripts/signed-message-vectors.ts makes', () => {
    expect(read('vectors/signed-messages.json')).toBe(signedMessageVectorsText());
  });

  test.each(vectors)('$state, $name', ({ name: _name, message_times: times = 1, ...vector }) => {
    const { address, message, signature, timelock, ...expected } = vector;
    const verdict = verifySignedMessage(address, message.repeat(times), signature, bitcoin);
    const { notBefore, minAge } = verdict.state === 'timelocked' ? verdict.timelock : {};
    expect(verdict).toMatchObject({ ok: expected.state === 'valid', ...expected });
    expect({ notBefore, minAge }).toEqual({ notBefore: timelock?.not_before, minAge: timelock?.min_age });
  });

  test('there is a vector for every rule, and the specification names each', () => {
    const codes = Object.keys(messageFaults).sort();
    expect([...new Set(vectors.flatMap(({ code }) => code ?? []))].sort()).toEqual(codes);
    const specification = read('signed-messages.md');
    for (const [code, { state, rule }] of Object.entries(messageFaults)) {
      expect(specification).toContain(`| \`${code}\` | ${state} | ${rule} |`);
    }
  });
});
