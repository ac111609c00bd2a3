// node scripts/ci-total.mjs [<folder>]
//
// Prints every row of SW_RESULTS, the first failures in the logs of that
// folder, one for each failed step, and the sum as the last line; exits with 1
// when anything failed or nothing ran.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failuresIn } from './lib/failures.mjs';
import { closingLine, readResults, total } from './lib/results.mjs';

const [folder = ''] = process.argv.slice(2);
const rows = readResults(process.env.SW_RESULTS);
for (const { suite, passed, failed, skipped } of rows) {
  const extra = skipped ? `, ${skipped} skipped` : '';
  console.log(`  ${suite}: ${passed} passed, ${failed} failed${extra}`);
}
for (const name of existsSync(folder) ? readdirSync(folder) : []) {
  console.log(`\n-- failed: ${name.replace(/\.log$/, '')}`);
  const lines = failuresIn(readFileSync(join(folder, name), 'utf8'));
  console.log(lines.map((line) => `  ${line}`).join('\n'));
}
const { passed, failed } = total(rows);
console.log(closingLine(rows));
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
