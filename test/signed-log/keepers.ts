/** Whoever keeps the newest checkpoint of a log: each has a store of its own, and all have to refuse the same. */

import { join } from 'node:path';
import type { LogGrowthJson } from '@coinfront/api/signed-log.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { LogKind } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { writeWitnessRequest } from '@coinfront/protocol/signed-log/witness-request.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { followLedgerLog, followLog } from '@coinfront/sdk/verify/follow-log.ts';
import { LogError } from '@coinfront/sdk/verify/log-error.ts';
import { readHeads, writeHeads } from '../../cli/cache/log-heads.ts';
import type { Precious } from '../../service/src/db/precious.ts';
import type { SignedLogTables } from '../../service/src/signed-log/log-tables.ts';
import { answerAddCheckpoint } from '../../service/src/signed-log/witness/add-checkpoint.ts';
import { findWitnessedLog, takeUpLog } from '../../service/src/signed-log/witness/witness-store.ts';
import type { ServiceSigner } from '../../service/src/signing/service-key.ts';
import type { ServedLog } from './served-log.ts';

/** What a keeper makes of a log that it is shown. */
export type Verdict = 'kept' | 'shorter' | 'forked' | 'other_key' | 'gone';

export type Keeper = {
  name: string;
  look(shown: ServedLog): Promise<Verdict>;
  /** The checkpoint that it has now, without lines of witnesses; undefined for none. */
  findKept(): Promise<string | undefined>;
};

const PEER = 'http://peer.example';

/** A witness (C2SP `tlog-witness`), in the tables of an engine; it is asked as a log asks it, with the proof that the log gives. */
export async function witnessKeeper(
  precious: Precious,
  { kind, signer, origin }: { kind: LogKind; signer: ServiceSigner; origin: string },
): Promise<Keeper> {
  const db = precious.query<SignedLogTables>();
  await takeUpLog(db, `${PEER}/${kind}`, origin);
  return {
    name: `a witness on ${precious.engine}`,
    async look({ baseUrl, prefix }) {
      const shown = await fetch(`${baseUrl}${prefix}/log/checkpoint`);
      if (shown.status === 404) return 'gone';
      const note = await shown.text();
      const size = Number(note.split('\n')[1]);
      const { size: oldSize } = (await findWitnessedLog(db, origin))!;
      const growth = `${baseUrl}${prefix}/log/consistency?from=${oldSize}&to=${size}`;
      const { path } =
        oldSize < size ? ((await (await fetch(growth)).json()) as LogGrowthJson) : { path: [] };
      const body = writeWitnessRequest({ oldSize, path: path.map(getHexBytes), note });
      const { status, text } = await answerAddCheckpoint({ precious, signer, now: Date.now }, body);
      if (status === 200) return 'kept';
      if (status === 400) return 'shorter';
      if (status === 404) return 'other_key';
      // It has cosigned another head of this size, or one that this does not go on from.
      if (status === 422 || (status === 409 && text === `${size}\n`)) return 'forked';
      throw new Error(`the witness answers ${status} ${text}`);
    },
    async findKept() {
      const kept = await findWitnessedLog(db, origin);
      return kept?.size === 0 ? undefined : kept?.note;
    },
  };
}

/** A client with the SDK, which keeps the note wherever it likes. */
function clientKeeper(
  name: string,
  { kind, publicKey }: { kind: LogKind; publicKey: string },
  store: { read(): Promise<string | undefined>; write(note: string): Promise<void> },
): Keeper {
  const follow = (client: Client, note: string | undefined) =>
    kind === 'node-registry'
      ? followLog(client, { registryKey: publicKey }, note)
      : followLedgerLog(client, { serviceKey: publicKey }, note);
  const names: Partial<Record<LogError['code'], Verdict>> = {
    log_shorter: 'shorter',
    log_forked: 'forked',
    log_gone: 'gone',
    checkpoint_unsigned: 'other_key',
  };
  return {
    name,
    async look({ client }) {
      try {
        const found = await follow(client, await store.read());
        if (found === undefined) return 'gone';
        await store.write(found.note);
        return 'kept';
      } catch (error) {
        const verdict = error instanceof LogError ? names[error.code] : undefined;
        if (verdict === undefined) throw error;
        return verdict;
      }
    },
    findKept: store.read,
  };
}

/** A page or a program that keeps the note in its memory. */
export function memoryKeeper(log: { kind: LogKind; publicKey: string }): Keeper {
  let kept: string | undefined;
  return clientKeeper('a client with the SDK', log, {
    read: async () => kept,
    async write(note) {
      kept = note;
    },
  });
}

/** `coin`, beside a wallet. */
export function fileKeeper(log: { kind: LogKind; publicKey: string }, folder: string): Keeper {
  const path = join(folder, `${log.kind}.json`);
  const name = `${PEER} ${log.kind}`;
  return clientKeeper("coin's file", log, {
    read: async () => (await readHeads(path))[name]?.note,
    write: async (note) =>
      await writeHeads(path, {
        ...(await readHeads(path)),
        [name]: { note, seen_at: new Date().toISOString() },
      }),
  });
}
