#!/usr/bin/env node
// Written so that Node versions that are too old can say so.
const [major] = process.versions.node.split('.');
if (Number(major) < 22) {
  console.error(`coin needs Node.js 22 or later; this is ${process.version}.`);
  process.exitCode = 1;
} else {
  await import('../dist/cli/main.js');
}
