import { expect, test } from 'vitest';
import { permissionsOfScope, scopeFor, sortPermissions, writePermissions } from './permission-rules.ts';

test('a key of scope all has exactly what the plugin for WooCommerce compares with, and the webhooks that it may have', () => {
  expect([...permissionsOfScope('all')].sort()).toEqual([
    'btcpay.store.cancreateinvoice',
    'btcpay.store.canmodifyinvoices',
    'btcpay.store.canviewinvoices',
    'btcpay.store.canviewstoresettings',
    'btcpay.store.webhooks.canmodifywebhooks',
  ]);
});

test('narrower keys may do less', () => {
  expect(permissionsOfScope('create')).not.toContain('btcpay.store.canmodifyinvoices');
  expect(permissionsOfScope('create')).toContain('btcpay.store.cancreateinvoice');
  expect(permissionsOfScope('read')).not.toContain('btcpay.store.cancreateinvoice');
});

test('the scope of a key that is made goes no further than what was asked for', () => {
  expect(scopeFor(['btcpay.store.canviewinvoices', 'btcpay.store.webhooks.canmodifywebhooks'])).toBe('read');
  expect(scopeFor(['btcpay.store.cancreateinvoice'])).toBe('create');
});

test('permissions are granted as they were asked for, of one store', () => {
  const { granted, unknown } = sortPermissions([
    'btcpay.store.canviewinvoices:someStore',
    'btcpay.store.canviewinvoices',
    'btcpay.server.canviewusers',
    '__proto__',
  ]);
  expect(writePermissions(granted, 'mer_1')).toEqual(['btcpay.store.canviewinvoices:mer_1']);
  expect(unknown).toEqual(['btcpay.server.canviewusers', '__proto__']);
});
