/** What a key may do, in the names that BTCPay gives permissions. */

/** The permissions that mean something here, with what they allow in plain words. */
export const permissions = {
  'btcpay.store.canviewstoresettings': 'See the name and the settings of the shop',
  'btcpay.store.canmodifystoresettings':
    'Nothing more than the others: settings are not changed through this interface',
  'btcpay.store.webhooks.canmodifywebhooks': 'Set up where events of payments are sent',
  'btcpay.store.canviewinvoices': 'See all payments',
  'btcpay.store.cancreateinvoice': 'Ask for payments',
  'btcpay.store.canmodifyinvoices': 'Close payments, and accept what came for one as enough',
} as const;
export type Permission = keyof typeof permissions;

/** What the plugin of WooCommerce requires exactly; of a key that was made elsewhere more is not told. */
const ofWholeKey: readonly Permission[] = [
  'btcpay.store.canviewinvoices',
  'btcpay.store.cancreateinvoice',
  'btcpay.store.canviewstoresettings',
  'btcpay.store.canmodifyinvoices',
  'btcpay.store.webhooks.canmodifywebhooks',
];

/** What a key may do that was not granted to an application, by its scope. */
export function permissionsOfScope(scope: 'read' | 'create' | 'all'): readonly Permission[] {
  switch (scope) {
    case 'all':
      return ofWholeKey;
    case 'create':
      return [
        'btcpay.store.canviewinvoices',
        'btcpay.store.cancreateinvoice',
        'btcpay.store.canviewstoresettings',
      ];
    case 'read':
      return ['btcpay.store.canviewinvoices', 'btcpay.store.canviewstoresettings'];
  }
}

/** The scope that goes with what is granted. Such a key is good under BTCPay's interface alone, where the grant counts. */
export function scopeFor(granted: readonly Permission[]): 'read' | 'create' {
  return granted.includes('btcpay.store.cancreateinvoice') ? 'create' : 'read';
}

/**
 * Those of the asked permissions that can be granted, each once, in the order in which they were asked for, and those that
 * cannot. A permission may name a store after a colon; the merchant's own is the only one.
 */
export function sortPermissions(asked: readonly string[]): { granted: Permission[]; unknown: string[] } {
  const names = [...new Set(asked.map((each) => each.split(':', 1)[0]!))];
  return {
    granted: names.filter(isPermission),
    unknown: names.filter((name) => !isPermission(name)),
  };
}

/** Permissions as they are written for the store of a merchant. */
export function writePermissions(granted: readonly Permission[], storeId: string): string[] {
  return granted.map((name) => `${name}:${storeId}`);
}

function isPermission(name: string): name is Permission {
  return Object.hasOwn(permissions, name);
}
