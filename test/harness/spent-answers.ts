import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { type FetchedBlock, isNullOutpoint } from '../../service/src/indexer/feed/fetched-block.ts';

/** The outputs that each block of a chain spends, as Bitcoin Core serves them at `/rest/spenttxouts/<hash>.bin`. */
export function writeSpentAnswers(chain: readonly FetchedBlock[]): Uint8Array[] {
  const outputs = new Map<string, Uint8Array>();
  return chain.map(({ scan }) => {
    const writer = createWriter();
    writer.compactSize(scan.txCount);
    for (let t = 0; t < scan.txCount; t++) {
      const outpoints = [...scan.outpointOffset.subarray(scan.inputStart[t], scan.inputStart[t + 1])].filter(
        (at) => !isNullOutpoint(scan.raw, at),
      );
      writer.compactSize(outpoints.length);
      for (const at of outpoints) writer.bytes(outputs.get(bytesToHex(scan.raw.subarray(at, at + 36)))!);
      for (let output = scan.outputStart[t]!; output < scan.outputStart[t + 1]!; output++) {
        const outpoint = createWriter();
        outpoint.bytes(scan.txid.subarray(t * 32, t * 32 + 32));
        outpoint.u32(output - scan.outputStart[t]!);
        const end = scan.scriptOffset[output]! + scan.scriptLength[output]!;
        const spent = createWriter();
        spent.u64(scan.outputValue[output]!);
        spent.varBytes(scan.raw.subarray(scan.scriptOffset[output], end));
        outputs.set(bytesToHex(outpoint.finish()), spent.finish());
      }
    }
    return writer.finish();
  });
}
