import { defaults } from './merchant-forms.ts';

/** What `coinfront admin --help` prints. */
export const usage = `Usage: coinfront admin <command> [--json], or npm run admin -- <command> in the repository

  merchant create --name <name> [--webhook-url <url>] [--pool-low <addresses>]
      Creates a merchant; prints its API key and webhook secret once.
      --webhook-url   receiver of its events, unless a payment names another
      --pool-low      send the event pool.low when fewer addresses are ready (default: ${defaults.poolLow})
  merchant list
  merchant rotate-key <merchant> [--overlap-hours <hours>]
      Creates a new API key; the previous one stays valid for the overlap (default: ${defaults.overlapHours} hours).
  merchant disable <merchant>
  merchant enable <merchant>
  webhook-secret rotate <merchant> [--overlap-hours <hours>]
      Creates a new webhook secret; events are signed with both until the overlap ends. 0 hours end all earlier ones at once.
  addresses release <address>
  addresses move <address> --to <merchant>
      Takes an address that was never leased out of its pool, so that its owner can import it, or moves it to another pool.
  deliveries purge --older-than-days <days> [--undelivered]
      Deletes webhooks delivered before that time, with their events; never pending ones.
      --undelivered   also dead and disabled ones, if they are older than 90 days as well
  tokens review [list]
      Lists token descriptions that await review, the longest waiting first.
  tokens review show <submission> [--logo <file>]
      Shows a submission; --logo writes the logo, as it would be shown, to a new file.
  tokens review approve <submission>
      Shows it with its token from now on, in place of the previous one.
  tokens review reject <submission> --reason <text>
      The reason is shown to anyone who asks for the state of the submission.
  tokens withdraw <token> --reason <text>
      Removes the description of a token.
  treasury export --format csv|jsonl [--private]
      Writes the whole ledger, oldest entry first; needs COINFRONT_COIN. Only public data; --private adds
      anonymous contributors and intents.
  treasury reconcile [--head <hash>] [--key <key>,…]
      Compares ledger and chain output by output at one block, and checks the books: seals, owners, standings, sums.
      Needs COINFRONT_COIN. Exit code 1: something differs.
      --head   the hash of an entry seen earlier, as /status showed it: it must be in the ledger
      --key    the public keys that may have signed, where registry.key was changed or is not here
  treasury assign <txid>:<output> --to <contributor>
      Credits a gift without an intent; the ledger names the operator as the source.
  treasury unassign <txid>:<output>
      Takes back what was assigned or claimed wrongly: the gift is nobody's again, the ledger says so by the operator's word.
  treasury note <txid> --purpose <text> --payee <text>
      Says what a spend was for and who was paid; the ledger shows it as the operator's words. A later note replaces it.
  treasury contributors [list]
  treasury contributors hide <contributor>
  treasury contributors show <contributor>
      Shows a contributor as "Anonymous", or again as it chose.
  treasury contributors ban-nickname <contributor>
      Removes its nickname; nobody can use that one, or one that looks like it, any more.
  verify-index
      Derives payouts, pool blocks, proofs, names and tokens again from the raw blocks of the index, and compares; needs
      COINFRONT_COIN. The service can stay running. Exit code 1: the index differs from its blocks.
  build-index
      Builds the index that COINFRONT_INDEX names up to the node's tip, and exits; needs the settings of the service, which
      can stay running on another index. For an upgrade with little downtime.
  registry list
      Lists registered nodes, with their uptime and last verdict.
  registry remove <node key>
      Removes a node; its owner may register it again.
  registry block <node key>
  registry unblock <node key>
  registry forget-peer <url>
      A peer of COINFRONT_WITNESS_PEERS has a new key: the next log that it shows is witnessed from its beginning.
  registry verify [--head <hash>]
      Checks the log of receipts: hashes, signatures, Merkle roots, counts. Exit code 1: something was changed.
      --head   hash of a receipt seen earlier, such as from /status: it must be in the log

  doctor
      Checks node, disk, clock, proxy, databases, files and the connections for webhooks with the settings of the service, and
      says what to do. Changes nothing. Exit code 1: something is wrong.
  backup --to <folder> [--keep <backups>]
      Writes a backup of all data that cannot be rebuilt, to a new folder inside that one; needs COINFRONT_COIN. The service
      can stay running.
      --keep   how many backups to keep in the folder; the oldest are deleted
  restore <backup> [--replace] [--leased-since <addresses> | --nothing-leased-since]
      Restores a backup while no process of the service runs; needs COINFRONT_COIN. Retires all ready addresses of pools: any
      of them may have been leased since the backup.
      --replace   puts existing data aside; without it, nothing is done if there are any
      --leased-since           at most this many of each merchant's were leased since then: retires only these
      --nothing-leased-since   none was: the service was already stopped when the backup was made
  restore <backup> --check
      Checks whether the backup is complete and could be restored here; changes nothing.
  payments retire-leased-since <time> [--at-most <addresses>]
      After an older copy of the data was restored by other means: retires the addresses that may have been leased since that
      copy. Run it before the service is started. The time is UTC: 2026-03-01T12:00:00Z.
      --at-most   at most this many of each merchant's were leased since then

--json prints one JSON object for programs. The database is found by the settings of the service:
COINFRONT_DATA_DIR, or COINFRONT_DATABASE_URL. Exit codes: 0 done, 1 not done, 2 invalid command line.`;
