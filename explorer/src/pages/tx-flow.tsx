import type { TxDetailJson, TxInputJson, TxOutputJson } from '@coinfront/api/chain-transactions.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { type FlowBand, type FlowSide, foldSides, layoutFlow } from '../format/flow-layout.ts';
import { formatCountOf, formatDecimal } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { t } from '../language/messages.ts';

/** Where the coins of a transaction come from and go to: inputs left, outputs and fee right, as thick as they are large. */
export function TxFlow({ tx }: { tx: TxDetailJson }) {
  const { ticker = '', decimals = 8 } = useStore(coin) ?? {};
  const sides = readSides(tx);
  if (sides === undefined) return null;
  const { width, height, inputs, outputs } = layoutFlow(sides.inputs, sides.outputs);
  const say = ({ name, value }: FlowSide): string =>
    `${name}: ${formatDecimal(formatAmount(value, decimals))} ${ticker}`;
  const draw = (bands: readonly FlowBand[], side: string) =>
    bands.map((band, i) => (
      <path
        key={`${side} ${i + 1}`}
        class={band.isFee === true ? 'fee' : undefined}
        d={band.path}
        stroke-width={band.thickness}
      >
        <title>{say(band)}</title>
      </path>
    ));
  const fee =
    tx.fee === null ? t('no fee') : t('fee {amount}', { amount: `${formatDecimal(tx.fee)} ${ticker}` });
  return (
    <svg
      class="flow"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('{inputs} to {outputs} of {amount}, {fee}', {
        inputs: formatCountOf(tx.input_count, 'input'),
        outputs: formatCountOf(tx.output_count, 'output'),
        amount: `${formatDecimal(tx.output_value)} ${ticker}`,
        fee,
      })}
    >
      {draw(inputs, 'input')}
      {draw(outputs, 'output')}
    </svg>
  );
}

/** Both sides; undefined where it is not known what an input spends. What is not on this page of the lists is one side more. */
function readSides(tx: TxDetailJson): { inputs: FlowSide[]; outputs: FlowSide[] } | undefined {
  const total = toBase(tx.output_value);
  const fee = tx.fee === null ? 0n : toBase(tx.fee);
  if (tx.inputs.some(({ coinbase, prevout }) => !coinbase && prevout === null)) return undefined;
  const outputs = foldOthers(tx.outputs.map(describeOutput), tx.output_count, total);
  if (fee > 0n) outputs.push({ name: t('Fee'), value: fee, isFee: true });
  const inputs = tx.coinbase
    ? [{ name: t('Coinbase (subsidy and fees)'), value: total }]
    : foldOthers(tx.inputs.map(describeInput), tx.input_count, total + fee);
  return { inputs, outputs };
}

function foldOthers(sides: readonly FlowSide[], count: number, total: bigint): FlowSide[] {
  const known = sides.reduce((sum, { value }) => sum + value, 0n);
  return foldSides(sides, { count: count - sides.length, value: total - known });
}

function describeInput({ index, prevout }: TxInputJson): FlowSide {
  return {
    name: nameOf(t('Input {index}', { index }), prevout?.address),
    value: toBase(prevout?.value ?? '0'),
  };
}

function describeOutput({ index, address, value }: TxOutputJson): FlowSide {
  return { name: nameOf(t('Output {index}', { index }), address), value: toBase(value) };
}

function nameOf(place: string, address: string | null | undefined): string {
  return address ? `${place}, ${shortenMiddle(address)}` : place;
}

/** Amounts have all of the coin's decimals. */
function toBase(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
