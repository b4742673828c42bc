import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findArchitecture, layOutDeb, writeControl, writeDeb } from '../../scripts/pack-deb/build-deb.ts';
import { alike, piecesOf, readShownCommands } from '../demo/console-blocks.ts';
import { type Person, seatPerson } from '../demo/person.ts';
import { waitUntil } from '../harness/litecoind.ts';
import { type BootedRoot, bootRoot } from '../packages/booted-root.ts';

/** The operator's guide of docs/install.md, typed into an empty Debian that systemd has booted; and what systemd does with its units. */

const TITLE = '## From an empty Debian to a shop, in fifteen minutes';
/** How fast somebody types who looks at what is typed. */
const CHARACTERS_A_MINUTE = 200;
const MINUTES = 15;
const VERSION = '0.1.0';

const work = mkdtempSync(join(tmpdir(), 'coinfront-guide-'));
const opened = await bootRoot(work);
if (typeof opened === 'string') console.warn(`The guide is not typed: ${opened}`);

describe.skipIf(typeof opened === 'string')('a Debian that systemd has booted', () => {
  const there = opened as BootedRoot;
  let person: Person;
  const until = (what: string, command: string, piece: string | RegExp) =>
    waitUntil(
      what,
      async () => {
        const shown = await there.run(command).catch(() => '');
        return typeof piece === 'string' ? shown.includes(piece) : piece.test(shown);
      },
      120_000,
    );
  const mine = (blocks: number) =>
    there.run(
      `runuser -u litecoin -- litecoin-cli -datadir=/var/lib/litecoind generatetodescriptor ${blocks} 'raw(51)'`,
    );
  const status = 'curl -sf --cacert /etc/ssl/coinfront/cert.pem -D - https://coin.example/api/v1/status';

  const ids = 'systemctl show -p MainPID --value coinfront@api coinfront@indexer coinfront@worker';

  beforeAll(async () => {
    const folder = join(work, 'coinfront');
    mkdirSync(folder, { mode: 0o755 });
    await layOutDeb(folder, VERSION);
    writeDeb(folder, work, VERSION);
    writeControl(join(folder, 'DEBIAN'), '0.1.1');
    writeDeb(folder, work, '0.1.1');
    await there.run(
      `mkdir -p /root && cp /mnt/coinfront_${VERSION}_${findArchitecture()}.deb /root/coinfront_${VERSION}_amd64.deb`,
    );
    person = await seatPerson({ folder: work, home: '/root', env: process.env, enter: there.enter });
    await person.type('cd /root');
  });
  afterAll(async () => {
    await person?.leave();
    await there.close();
    rmSync(work, { recursive: true, force: true });
  });

  test('the guide leads from an empty one to a served chain with TLS, backups, alerts and a merchant', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/install.md'), 'utf8');
    const guide = text.slice(text.indexOf(TITLE));
    const commands = readShownCommands(guide.slice(0, guide.indexOf('\n## ', 1)));
    expect(commands.length).toBeGreaterThan(20);
    const typed = commands.reduce((sum, { command }) => sum + command.length, 0);
    const started = performance.now();
    for (const { command, output } of commands) {
      // What is copied is the chain alone: this one has blocks when they are wanted.
      if (command.startsWith('chown litecoin:'))
        await person.type('echo regtest=1 >> /var/lib/litecoind/litecoin.conf');
      if (command.startsWith('coinfront init')) await until('the node answers', 'ss -ltn', ':19443');
      // A person reads what was said of the service before asking for it.
      if (command.startsWith('curl -s http'))
        await until('the service answers', 'curl -sf http://127.0.0.1:8080/api/v1/health', 'status');
      const { shown, code } = await person.type(command);
      const missing = piecesOf(output).filter((piece) => !alike(shown).includes(piece));
      // A certificate that nobody has signed is a fault, and the doctor says so.
      const expected = command === 'coinfront doctor' ? [0, 1] : [0];
      expect({ command, shown, missing, isFine: expected.includes(code) }).toEqual({
        command,
        shown,
        missing: [],
        isFine: true,
      });
    }
    const minutes = typed / CHARACTERS_A_MINUTE + (performance.now() - started) / 60_000;
    console.log(`${commands.length} commands of ${typed} characters: ${minutes.toFixed(1)} minutes`);
    expect(minutes).toBeLessThan(MINUTES);
  });

  test('what it made serves the chain by TLS, and starts again with the machine', async () => {
    await mine(5);
    await until('the blocks are served', status, /x-chain-height: 5/i);
    const enabled =
      'systemctl is-enabled coinfront litecoind nginx prometheus prometheus-alertmanager coinfront-backup.timer';
    expect((await there.run(enabled)).trim().split('\n')).toEqual(Array(6).fill('enabled'));
    expect(await there.run('systemctl is-failed "coinfront*" || true')).not.toContain('failed');
  });

  test('its backup is whole and private', async () => {
    const folder = (await there.run('ls -d /var/backups/coinfront/2*')).trim();
    expect((await there.run('stat -c "%a %U" /var/backups/coinfront')).trim()).toBe('700 coinfront');
    await there.run(`coinfront admin restore --check ${folder}`);
    expect(await there.run('systemctl list-timers')).toContain('coinfront-backup.timer');
  });

  test('its units may do little, by the count of systemd', async () => {
    for (const unit of ['coinfront', 'coinfront@api', 'coinfront-backup', 'litecoind']) {
      const counted = await there.run(`systemd-analyze security --no-pager ${unit}.service | tail -1`);
      expect(counted).toMatch(/: 1\.1 OK/);
    }
  });

  test('a node that is gone is an alert, and there is who sends it', async () => {
    await until(
      'Prometheus knows Alertmanager',
      'curl -s http://127.0.0.1:9090/api/v1/alertmanagers',
      '"activeAlertmanagers":[{"url":"http://127.0.0.1:9093',
    );
    expect(await there.run('amtool check-config /etc/prometheus/alertmanager.yml')).toContain('SUCCESS');
    await until('it is scraped', 'curl -s http://127.0.0.1:9090/api/v1/targets', '"health":"up"');
    await there.run('systemctl stop litecoind');
    await until(
      'the alert',
      'curl -s http://127.0.0.1:9090/api/v1/alerts',
      /CoinfrontNodeDown.*"state":"(pending|firing)"/,
    );
    await there.run('systemctl start litecoind');
    await until('the node is back', 'curl -s http://127.0.0.1:8080/api/v1/health', /"status":"(ok|ready)"/);
  });

  test('a service that is killed is started again, and its lines are in the journal', async () => {
    await there.run('systemctl kill --signal=KILL coinfront');
    await until('it is back', 'systemctl show -p NRestarts coinfront', 'NRestarts=1');
    await until('it answers', status, '200');
    const lines = await there.run('journalctl -u coinfront -o cat');
    expect(lines).toMatch(/^\{"level":30,/m);
    // The filter of the guide to the log parses each of them.
    const own = lines.split('\n').filter((line) => line.startsWith('{'));
    for (const line of own) expect(() => JSON.parse(line)).not.toThrow();
  });

  test('api, indexer and worker share the work on PostgreSQL, each as a unit of its own', async () => {
    await there.run('apt-get install --yes --no-install-recommends postgresql');
    await there.run('systemctl start postgresql');
    await until('PostgreSQL answers', 'runuser -u postgres -- psql -c "select 1"', '1 row');
    await there.run(
      'runuser -u postgres -- createuser coinfront && runuser -u postgres -- createdb -O coinfront coinfront',
    );
    await there.run(
      "echo COINFRONT_DATABASE_URL='postgres:///coinfront?host=/var/run/postgresql' >> /etc/coinfront/coinfront.env",
    );
    const ports = { api: 9185, indexer: 9186, worker: 9187 };
    for (const [role, port] of Object.entries(ports))
      await there.run(`echo COINFRONT_METRICS_LISTEN=127.0.0.1:${port} > /etc/coinfront/${role}.env`);
    await there.run('systemctl disable --now coinfront');
    await there.run('systemctl enable --now coinfront@indexer coinfront@worker coinfront@api');
    await until('the chain is served', status, /x-chain-height: 5/i);
    await mine(1);
    await until('the next block is served', status, /x-chain-height: 6/i);
    for (const port of Object.values(ports))
      await until('its metrics', `curl -s http://127.0.0.1:${port}/metrics`, 'coinfront_process_');
    const users = await there.run(`for id in $(${ids}); do stat -c %U /proc/$id; done`);
    expect(users.trim().split('\n')).toEqual(Array(3).fill('coinfront'));
    const metrics = await there.run('curl -s http://127.0.0.1:9186/metrics');
    expect(metrics).toContain('coinfront_indexer_active 1');
    expect(await there.run('coinfront admin merchant create --name "Their shop"')).toContain('cfk_');
    await there.run('systemctl start coinfront-backup');
  });

  test('an upgrade restarts the roles that run, and starts nothing else', async () => {
    const before = await there.run(ids);
    await there.run(`dpkg --install /mnt/coinfront_0.1.1_${findArchitecture()}.deb`);
    const after = await there.run(ids);
    expect(before).not.toMatch(/^0$/m);
    for (const id of before.trim().split(/\s+/)) expect(after.split(/\s+/)).not.toContain(id);
    await mine(1);
    await until('the next block is served', status, /x-chain-height: 7/i);
    expect((await there.run('systemctl is-active coinfront || true')).trim()).toBe('inactive');
  });

  test('removing it stops all of its units', async () => {
    await there.run('dpkg --remove coinfront');
    expect(await there.run('systemctl list-units --no-legend "coinfront*" --state=active')).toBe('');
    await there.run('test -d /var/backups/coinfront');
  });
});
