/** A proof as one HTML file that checks itself, without a network and without this service. */

import { sha256 } from '@noble/hashes/sha2.js';
import type { ProofDocument } from './check-proof.ts';

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.4rem}li{list-style:none;padding:.25rem 0}ul{padding:0}code{font-family:ui-monospace,monospace;font-size:.9em}dt{opacity:.7}dd{margin:0 0 .6rem}`;

/** Writes the document; `script` is the built verifier. */
export function buildProofDocument(proof: ProofDocument, script: string): string {
  const code = script.replace(/<\/script/gi, '<\\/script');
  const data = JSON.stringify(proof).replace(/</g, '\\u003c');
  const policy = `default-src 'none'; script-src '${sourceOf(code)}'; style-src '${sourceOf(style)}'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Proof ${proof.sha256.slice(0, 8)}…</title>
<style>${style}</style>
</head>
<body>
<h1 id="verdict">This proof is checked by a script, which does not run here.</h1>
<p>The file with the SHA-256 digest <code>${escapeText(proof.sha256)}</code> existed before block ${Number(proof.height)} of ${escapeText(proof.coin)}, whose median time is ${escapeText(proof.median_time)}.</p>
<ul id="checks"></ul>
<h2>Compare a file</h2>
<p><label>File: <input id="file" type="file"></label></p>
<p id="compared" role="status"></p>
<h2>The proof</h2>
<dl>
<dt>Block</dt><dd><code>${escapeText(proof.block_hash)}</code></dd>
<dt>Transaction</dt><dd><code>${escapeText(proof.txid)}</code>, output ${Number(proof.vout)}</dd>
<dt>Header</dt><dd><code>${escapeText(proof.header)}</code></dd>
</dl>
<script type="application/json" id="proof">${data}</script>
<script>${code}</script>
</body>
</html>
`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The source expression of a Content-Security-Policy for an element with this text. */
function sourceOf(text: string): string {
  const digest = sha256(new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}
