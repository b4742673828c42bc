import { defaults } from './merchant-forms.ts';

/** What `coinfront admin --help` prints. */
export const usage = `Usage: coinfront admin <command> [--json], or npm run admin -- <command> in the repository

  merchant create --name <name> [--webhook-url <url>] [--pool-low <addresses>]
      Makes a merchant; prints its API key and webhook secret, which are not shown again.
      --webhook-url   where its events go unless a payment says otherwise
      --pool-low      the event pool.low comes when fewer addresses are ready (${defaults.poolLow} unless given)
  merchant list
  merchant rotate-key <merchant> [--overlap-hours <hours>]
      Makes a new API key; the one before stays valid for the overlap (${defaults.overlapHours} hours unless given).
  merchant disable <merchant>
  merchant enable <merchant>
  webhook-secret rotate <merchant> [--overlap-hours <hours>]
      Makes a new webhook secret; until the overlap ends events are signed with both. 0 hours end all earlier ones.
  addresses release <address>
  addresses move <address> --to <merchant>
      Takes an address that was never leased out of the pool that has it, for its owner to import, or into another's.
  deliveries purge --older-than-days <days> [--undelivered]
      Forgets webhooks that were delivered so long ago, with their events; never what is pending.
      --undelivered   what is dead or disabled as well, once it is older than 90 days, too
  tokens review [list]
      Descriptions of tokens that await review, the longest waiting first.
  tokens review show <submission> [--logo <file>]
      What was submitted; --logo writes the logo as it would be shown into a new file.
  tokens review approve <submission>
      Shows it with its token from now on, in the place of the one before.
  tokens review reject <submission> --reason <text>
      The reason is told to who asks for the state of the submission.
  tokens withdraw <token> --reason <text>
      Takes back what is shown of a token.
  treasury export --format csv|jsonl [--private]
      Writes the whole ledger, oldest entry first; needs COINFRONT_COIN. It shows what everybody may see; --private adds
      the contributors that do not want to be shown, and the intents.
  treasury reconcile [--head <hash>]
      Compares ledger and chain output by output at one block, and goes through the books: seals, owners, standings, sums.
      Needs COINFRONT_COIN. Exit code 1: something differs.
      --head   hash of an entry that was seen earlier, such as /status gave it: it has to be in the ledger
  treasury assign <txid>:<output> --to <contributor>
      Credits a gift that no intent had; the ledger says that the operator said so.
  treasury note <txid> --purpose <text> --payee <text>
      Says what a spend was for, and who was paid; the ledger shows it as the operator's words. A later note takes its place.
  treasury contributors [list]
  treasury contributors hide <contributor>
  treasury contributors show <contributor>
      Shows a contributor as "Anonymous", or again as it chose.
  treasury contributors ban-nickname <contributor>
      Takes its nickname away; nobody can have that one, or one that looks like it, any more.
  verify-index
      Derives proofs, names and tokens once more from the raw blocks of the index and compares; needs COINFRONT_COIN.
      The service may run meanwhile. Exit code 1: the index is not what its blocks say.
  build-index
      Builds the index that COINFRONT_INDEX names up to the node's tip, and ends; needs the settings of the service, which
      may run meanwhile on another index. For an upgrade without hours of waiting.
  registry list
      Nodes of the registry, with their uptime and last verdict.
  registry remove <node key>
      It is not looked at any more; its owner may register it again.
  registry block <node key>
  registry unblock <node key>
  registry verify [--head <hash>]
      Walks the log of receipts: hashes, signatures, Merkle roots, counts. Exit code 1: something was changed.
      --head   hash of a receipt that was seen earlier, such as /status gave it: it has to be in the log

  doctor
      Looks at node, disk, clock, proxy, databases, files and the way out for webhooks, by all settings of the service, and says
      what to do. It changes nothing. Exit code 1: something is wrong.
  backup --to <folder> [--keep <backups>]
      Makes a backup of all that nothing can make again, in a new folder of that one; needs COINFRONT_COIN. The service may
      run meanwhile.
      --keep   how many are left in the folder; the oldest are removed
  restore <backup> [--replace] [--leased-since <addresses> | --nothing-leased-since]
      Puts a backup back while no process of the service runs; needs COINFRONT_COIN. Ready addresses of pools are retired: any
      of them may have been leased since the backup was made.
      --replace   what is there is put aside; without it nothing is touched where there is anything
      --leased-since           how many of each merchant's were leased since at most: only these are retired
      --nothing-leased-since   none was: the service did not run any more when the backup was made
  restore <backup> --check
      Whether the backup is whole and could be restored here; changes nothing.
  payments retire-leased-since <time> [--at-most <addresses>]
      After an older copy of the data was put back by other means: retires the addresses that may have been leased since it
      was made. Run it before the service is started. The time is UTC: 2026-03-01T12:00:00Z.
      --at-most   how many of each merchant's were leased since at most

--json prints one JSON object for programs. The database is found by the settings of the service:
COINFRONT_DATA_DIR, or COINFRONT_DATABASE_URL. Exit codes: 0 done, 1 not done, 2 not understood.`;
