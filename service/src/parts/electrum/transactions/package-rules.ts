/** What the protocol shows of the node's answer to a package. */

type Refused = { txid: string; error: string };

/** Whether a package was taken, and which of its transactions were not and why. */
export type PackageSummary = { success: boolean; errors?: Refused[] };

/** Reads Core's answer to `submitpackage`; one of another form counts as not taken. */
export function summarisePackage(answer: unknown): PackageSummary {
  const fields = readObject(answer);
  const results = Object.values(readObject(fields['tx-results'])).map(readObject);
  const errors = results.flatMap(({ txid, error }): Refused[] =>
    typeof error === 'string' ? [{ txid: typeof txid === 'string' ? txid : '', error }] : [],
  );
  const success = fields.package_msg === 'success' && errors.length === 0;
  return success ? { success } : { success, errors };
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
