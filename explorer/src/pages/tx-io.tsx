import type { TxInputJson, TxOutputJson } from '@coinfront/api/chain-transactions.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { describeCarrier } from '../data/describe-carrier.ts';
import { useStore } from '../data/store.ts';
import { times } from '../data/times.ts';
import { listCarried } from '../format/carried-text.ts';
import { explainInput } from '../format/explain-input.ts';
import { explainOutput } from '../format/explain-script.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { rich, t } from '../language/messages.ts';
import { pathOf } from '../router.tsx';
import { Amount } from '../ui/amount.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Hash } from '../ui/hash.tsx';
import { AddressLink, BlockLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';

/** One input: whose coins it spends, and where they came from. */
export function TxInput({ input }: { input: TxInputJson }) {
  const { prevout } = input;
  return (
    <li>
      <span class="at">{input.index}</span>
      <span>
        {input.coinbase ? (
          <Mark tone="moving">{t('Coinbase (newly generated coins)')}</Mark>
        ) : prevout?.address ? (
          <AddressLink address={prevout.address} />
        ) : (
          <span class="quiet">
            {prevout === null ? t('unknown') : t('script: {type}', { type: prevout.script_type })}
          </span>
        )}
      </span>
      <span>{prevout === null ? '' : <Amount value={prevout.value} unit="" />}</span>
      <span class="more">
        {input.txid !== null &&
          rich('from {tx}, output {index}', {
            tx: (
              <a class="mono" href={pathOf('tx', input.txid)} title={input.txid}>
                {shortenMiddle(input.txid, 6)}
              </a>
            ),
            index: input.vout,
          })}
        {input.coinbase && <CoinbaseText scriptHex={input.script_sig} />}
        <Details input={input} />
      </span>
    </li>
  );
}

function Details({ input }: { input: TxInputJson }) {
  if (input.script_sig === '' && input.witness.length === 0) return null;
  return (
    <>
      <HowItSpends input={input} />
      <details>
        <summary>{t('Script and witness')}</summary>
        <pre>
          sequence {input.sequence.toString(16)}
          {input.script_sig !== '' && `\n${input.script_sig_asm ?? input.script_sig}`}
          {input.witness.map((item, index) => `\nwitness ${index}: ${item === '' ? '(empty)' : item}`)}
        </pre>
      </details>
    </>
  );
}

function HowItSpends({ input }: { input: TxInputJson }) {
  const { sentences, scripts } = explainInput(input, useStore(times).zone);
  return (
    <>
      {sentences.length > 0 && <p>{sentences.join(' ')}</p>}
      {scripts.map((script) => (
        <div key={script.name}>
          {script.sentences.length > 0 && <p>{`${script.name}: ${script.sentences.join(' ')}`}</p>}
          {script.asm !== undefined && (
            <details>
              <summary>{script.name}</summary>
              <pre>{script.asm}</pre>
            </details>
          )}
        </div>
      ))}
    </>
  );
}

/** What a miner wrote for people: whatever can be read of it, and never anything but text. */
function CoinbaseText({ scriptHex }: { scriptHex: string }) {
  const text = (scriptHex.match(/../g) ?? [])
    .map((byte) => String.fromCharCode(Number.parseInt(byte, 16)))
    .join('')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim();
  if (text.length < 4) return null;
  return <>{rich('its miner wrote {text}', { text: <bdi class="mono">{text}</bdi> })}</>;
}

/** One output: whom it pays or what it carries, and what spends it. */
export function TxOutput({ output, isPayout }: { output: TxOutputJson; isPayout: boolean }) {
  const { spent_by: spend } = output;
  return (
    <li>
      <span class="at">{output.index}</span>
      <span>
        {output.address !== null ? (
          <AddressLink address={output.address} />
        ) : output.data !== null ? (
          <Carrier payload={output.data} />
        ) : (
          <span class="quiet">{t('script: {type}', { type: output.script_type })}</span>
        )}{' '}
        {isPayout && output.address !== null && <Mark>{t('payout')}</Mark>}
      </span>
      <span>
        <Amount value={output.value} unit="" />
      </span>
      <span class="more">
        {spend !== null ? (
          <SpentBy spend={spend} />
        ) : (
          t(output.unspendable ? 'can never be spent' : 'unspent')
        )}
        {output.script !== null && <WhatItAsks script={output.script} />}
        {output.script !== null && output.script !== '' && (
          <details>
            <summary>{t('Script')}</summary>
            <pre>
              {output.script_asm ?? ''}
              {'\n'}
              {output.script}
              <CopyButton text={output.script} what="script" />
            </pre>
          </details>
        )}
      </span>
    </li>
  );
}

function SpentBy({ spend }: { spend: NonNullable<TxOutputJson['spent_by']> }) {
  const tx = (
    <a class="mono" href={pathOf('tx', spend.txid)} title={spend.txid}>
      {shortenMiddle(spend.txid, 6)}
    </a>
  );
  return (
    <>
      {spend.height === null
        ? rich('spent by {tx}, which waits for a block', { tx })
        : rich('spent by {tx} in block {block}', { tx, block: <BlockLink height={spend.height} /> })}
    </>
  );
}

/** What an output asks of who spends it, or what it carries instead. */
function WhatItAsks({ script }: { script: string }) {
  const sentences = explainOutput(getHexBytes(script), useStore(times).zone);
  return (
    <>
      {sentences.length > 0 && <p>{sentences.join(' ')}</p>}
      {listCarried(script).map(({ hex, text }, index) => (
        <p key={`${index + 1}`}>
          {text !== undefined && (
            <>
              {t('Text:')} <bdi class="foreign-text">{text}</bdi>
              <br />
            </>
          )}
          Hex: <span class="mono foreign-text">{hex}</span>
        </p>
      ))}
    </>
  );
}

function Carrier({ payload }: { payload: string }) {
  const facts = describeCarrier(payload);
  if (facts === undefined) {
    return (
      <>
        <Mark>{t('data')}</Mark> <Hash value={payload} what="data" />
      </>
    );
  }
  const text = (
    <bdi class="shortened" title={facts.text}>
      {shortenMiddle(facts.text, 20)}
    </bdi>
  );
  return (
    <>
      <Mark tone="moving">{t(facts.kind)}</Mark>{' '}
      {facts.href === undefined ? text : <a href={facts.href}>{text}</a>}
    </>
  );
}
