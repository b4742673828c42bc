import type { Precious } from '../../service/src/db/precious.ts';
import type { DatabaseLocation, TestEngine } from '../harness/engines.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchant.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { startService, type TestService } from '../harness/service.ts';
import { openDesk, type PaymentDesk } from './payment-desk.ts';

/** The service on a fresh database, as suites of payments begin. */
export type Suite = {
  readonly database: DatabaseLocation;
  readonly service: TestService;
  /** The same data, beside the service. */
  readonly precious: Precious;
  createMerchant(): Promise<TestMerchant>;
  /** Ends all of it. */
  close(): Promise<void>;
};

/** A suite with a desk, whose merchants are in the database then. */
export type DeskSuite = Suite & { readonly desk: PaymentDesk };

/** Opens a suite on a database of an engine. The caller closes it. */
export async function openSuite(
  engine: TestEngine,
  nodeUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Suite> {
  const database = await engine.openUrl();
  const service = await startService({ nodeUrl, database, settings });
  const precious = await openBeside(database);
  return {
    ...{ database, service, precious },
    createMerchant: () => createTestMerchant(service, database),
    async close() {
      await precious.close();
      await service.stop();
    },
  };
}

/** The same with a desk. */
export async function openDeskSuite(...args: Parameters<typeof openSuite>): Promise<DeskSuite> {
  const suite = await openSuite(...args);
  const desk = await openDesk(suite.database, suite.service);
  return {
    ...suite,
    desk,
    async close() {
      await desk.close();
      await suite.close();
    },
  };
}
