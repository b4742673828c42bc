/** The methods of the node's RPC that this service calls, and what does not work without each. */

/** A method, and what is lost where the node does not let this service call it. */
export type MethodUse = {
  readonly method: string;
  /** What stops working, as the end of a sentence for the operator. */
  readonly effect: string;
  /** Whether the service does without: nothing is answered with an error for its sake. */
  readonly optional: boolean;
};

/** Which methods a process calls depends on what it does, and on what the node serves besides. */
export type MethodNeeds = {
  /** Follows the chain. */
  readonly indexes: boolean;
  /** Takes transactions from others, or keeps sending its own. */
  readonly sends: boolean;
  /** Tries transactions out for `/tok/preflight`. */
  readonly tests: boolean;
  /** Takes packages of transactions, over the Electrum protocol. */
  readonly packages: boolean;
  /** Pays for anchors from a wallet of the node. */
  readonly anchors: boolean;
  /** Whether blocks come by REST. */
  readonly servesRest: boolean;
};

const needed = (method: string, effect: string): MethodUse => ({ method, effect, optional: false });
const optional = (method: string, effect: string): MethodUse => ({ method, effect, optional: true });

/** Every method that a process with these needs may call. */
export function listMethodUses({
  indexes,
  sends,
  tests,
  packages,
  anchors,
  servesRest,
}: MethodNeeds): MethodUse[] {
  const uses = [
    needed('getblockchaininfo', 'the state of the node is not known, and nothing is followed'),
    needed('getnetworkinfo', 'the state of the node is not known'),
    needed('getblockhash', 'the chain of the node is not known, and nothing is followed'),
    needed('getmempoolinfo', "the node's least fee is not known, and what leaves its mempool is not seen"),
    optional('estimatesmartfee', 'fees are estimated from the mempool alone'),
    optional('getchaintxstats', 'how long a first sync takes is estimated'),
    {
      method: 'getblock',
      effect: 'a block that the REST interface does not give is not fetched',
      optional: servesRest,
    },
  ];
  if (indexes) {
    uses.push(
      needed('getbestblockhash', 'new blocks are not seen'),
      needed('getblockheader', 'new blocks are not seen'),
      needed(
        'getchaintips',
        'nothing is followed while the node has fewer blocks than headers, or than the index',
      ),
      needed('getrawmempool', 'unconfirmed transactions are not seen'),
      needed('getrawtransaction', 'unconfirmed transactions are not seen'),
      optional('waitfornewblock', 'new blocks are seen up to a second later'),
      optional('getconnectioncount', 'payments may expire while the node has yet to hear from its peers'),
      optional('getpeerinfo', 'payments wait ten seconds more for the time of a node that was away'),
    );
  }
  if (sends) {
    uses.push(
      needed('sendrawtransaction', 'no transaction is broadcast'),
      optional(
        'getmempoolentry',
        "whether a transaction is `already_known` is told by this service's mempool alone, and anchors that blocks pass over are not paid for",
      ),
    );
  }
  if (tests) uses.push(needed('testmempoolaccept', '`/tok/preflight` skips the check against the mempool'));
  if (packages)
    uses.push(optional('submitpackage', 'wallets cannot send packages over the Electrum protocol'));
  if (anchors) {
    const effect = 'the wallet of the node pays for no anchors';
    const methods = [
      'createrawtransaction',
      'fundrawtransaction',
      'signrawtransactionwithwallet',
      'lockunspent',
    ];
    uses.push(...methods.map((method) => needed(method, effect)));
  }
  return uses;
}
