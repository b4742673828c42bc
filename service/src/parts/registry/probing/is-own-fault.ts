import { hasRoute } from '../../../outbound/has-route.ts';

/** Faults of this machine, which say nothing of who was to be reached. */
const OWN_FAULTS: ReadonlySet<unknown> = new Set(['ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE']);
/** What this machine says without a way to an address, and any router on the way, that of the node too, can say as well. */
const ROUTE_FAULTS: ReadonlySet<unknown> = new Set(['ENETUNREACH', 'EHOSTUNREACH']);

/** Whether a connection could not be made for a reason of this machine, which nobody else can bring about. */
export async function isOwnFault(
  error: unknown,
  address: string,
  findRoute: (address: string) => Promise<boolean> = hasRoute,
): Promise<boolean> {
  const { cause } = error as { cause?: { code?: unknown; errors?: unknown } };
  // Several addresses of one name were tried: it is our fault where it is with each of them.
  const codes = Array.isArray(cause?.errors)
    ? cause.errors.map((each: { code?: unknown }) => each.code)
    : [cause?.code];
  if (codes.length === 0) return false;
  if (codes.every((code) => OWN_FAULTS.has(code))) return true;
  const isRoute = codes.every((code) => ROUTE_FAULTS.has(code) || OWN_FAULTS.has(code));
  return isRoute && !(await findRoute(address));
}
