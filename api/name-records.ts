/** Text records of names: on the chain by the hash of their document, which services keep. */

import { recordLimits } from '@coinfront/protocol/names/name-records.ts';
import Type, { type Static } from 'typebox';
import { AsOf, Hex, Nullable, OneOf, Strict } from './common.ts';

const Records = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: recordLimits.valueBytes },
    minProperties: 1,
    maxProperties: recordLimits.count,
    description,
  });

const rules =
  `Keys of a-z, 0-9, ".", "_" and "-", up to ${recordLimits.keyCharacters}; values of one line in Unicode NFC, up to ` +
  `${recordLimits.valueBytes} bytes; ${recordLimits.count} at most, and the document up to ${recordLimits.documentBytes} bytes.`;

/** Records that a body gives. */
export const NameRecordsField = Records(`The text records, by their keys. ${rules}`);

/** Why a service shows no text records of a name. */
export const recordStates = ['known', 'unknown', 'none', 'expired', 'inactive'] as const;

/** The text records of a name. */
export const NameRecordsView = Strict(
  {
    name: Type.String({ description: 'The name.' }),
    as_of: AsOf,
    state: OneOf(recordStates, {
      description:
        '`known`: `document` is what the owner has set. `unknown`: the chain has a hash, and this service does not have its document; another ' +
        'may. `none`: the owner has set none. `expired`: the name does not resolve, so they do not count. `inactive`: the coin has no text ' +
        'records, or not yet.',
    }),
    hash: Nullable(Hex('What the chain has: SHA-256 of the document. Null unless `known` or `unknown`.')),
    document: Nullable(
      Type.String({
        description:
          'The exact text whose UTF-8 bytes have the hash: check that before anything is believed. Null unless `known`.',
      }),
    ),
    records: Nullable(
      Records(
        'The same, read. Written by the owner of the name and by nobody else: show it as text, and open nothing of it unasked.',
      ),
    ),
  },
  { title: 'NameRecords' },
);
export type NameRecordsJson = Static<typeof NameRecordsView>;

/** Body of `PUT /name/{name}/records`. */
export const NameRecordsBody = Strict({ records: NameRecordsField }, { title: 'NameRecordsUpload' });
