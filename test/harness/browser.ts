import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** A real browser with an empty profile of its own. */
export type TestBrowser = {
  /** A page of a visitor who was never here; `requests` is every URL that it asked for, `errors` what went wrong in it. */
  openVisitor(options?: BrowserContextOptions): Promise<Visitor>;
  stop(): Promise<void>;
};

/** One visitor, and all that the page did. */
export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly requests: readonly string[];
  /** Errors of scripts, breaches of the page's policy, dialogs. */
  readonly errors: readonly string[];
};

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the system's Chromium without a window; the caller stops it. */
export async function startBrowser(): Promise<TestBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'coinfront-browser-'));
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ARGS,
    // Its crash reports, caches and settings go with the folder.
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
  });
  return {
    async openVisitor(options = {}) {
      const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
      const requests: string[] = [];
      const errors: string[] = [];
      context.on('request', (request) => requests.push(request.url()));
      const page = await context.newPage();
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !isRefusedAnswer(message.text())) errors.push(message.text());
      });
      page.on('dialog', (dialog) => {
        errors.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      return { page, context, requests, errors };
    },
    async stop() {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Without an interface of its own it takes a third of the processor's time of the whole browser; what draws pages is the same. */
const browserNames = ['chromium-headless-shell', 'chromium'];

/** The browser to run: the file `COINFRONT_TEST_BROWSER`, or what is on the PATH. */
function findBrowser(): string {
  const { COINFRONT_TEST_BROWSER: given, PATH = '' } = process.env;
  const dirs = PATH.split(':');
  const file = given ?? browserNames.flatMap((name) => dirs.map((dir) => join(dir, name))).find(existsSync);
  if (file === undefined) throw new Error('Chromium is not installed: see scripts/ensure-installed.sh.');
  return file;
}

/** Chromium calls every answer of 400 and above an error, and every one that did not come. */
function isRefusedAnswer(text: string): boolean {
  return text.startsWith('Failed to load resource:');
}
