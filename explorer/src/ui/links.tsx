import { formatCount } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { pathOf } from '../router.tsx';
import { Hash } from './hash.tsx';

/** A transaction. */
export function TxLink({ txid, ends }: { txid: string; ends?: number }) {
  return <Hash value={txid} what="transaction id" href={pathOf('tx', txid)} {...(ends ? { ends } : {})} />;
}

/** An address. */
export function AddressLink({ address, ends }: { address: string; ends?: number }) {
  return (
    <Hash value={address} what="address" href={pathOf('address', address)} {...(ends ? { ends } : {})} />
  );
}

/** A block by its height. */
export function BlockLink({ height }: { height: number }) {
  return <a href={pathOf('block', height)}>{formatCount(height)}</a>;
}

/** Who owns or sends: an address where the script has one. */
export function PartyLink({ party }: { party: { address: string | null; script: string | null } | null }) {
  if (party === null) return <span class="quiet">{t('unknown')}</span>;
  if (party.address !== null) return <AddressLink address={party.address} />;
  if (party.script !== null) return <Hash value={party.script} what="script" />;
  return <span class="quiet">{t('a long script')}</span>;
}

/** A name; it can hold nothing but letters, digits and a hyphen, and is still shown as what came from outside. */
export function NameLink({ name }: { name: string }) {
  return (
    <a class="foreign-line" href={pathOf('name', name)} title={name}>
      {name}
    </a>
  );
}

/** A token by its ticker, which is not unique: the id is beside it. */
export function TokenLink({ tokenId, ticker }: { tokenId: string; ticker: string | null }) {
  return (
    <>
      {ticker !== null && (
        <a class="foreign-line" href={pathOf('token', tokenId)}>
          {ticker}
        </a>
      )}{' '}
      <Hash value={tokenId} what="token id" href={pathOf('token', tokenId)} ends={5} />
    </>
  );
}
