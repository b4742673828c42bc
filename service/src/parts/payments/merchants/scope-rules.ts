/** What a key may do. */

import { type KeyScope, keyScopes } from '@coinfront/api/merchant-keys.ts';

/** Whether a key of this scope may do what needs another: each scope includes those before it. */
export function includesScope(own: KeyScope, needed: KeyScope): boolean {
  return keyScopes.indexOf(own) >= keyScopes.indexOf(needed);
}
