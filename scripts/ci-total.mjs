// Prints every row of SW_RESULTS, then the sum as the last line; exits with 1
// when anything failed or nothing ran.

import { closingLine, readResults, total } from './lib/results.mjs';

const rows = readResults(process.env.SW_RESULTS);
for (const { suite, passed, failed, skipped } of rows) {
  const extra = skipped ? `, ${skipped} skipped` : '';
  console.log(`  ${suite}: ${passed} passed, ${failed} failed${extra}`);
}
const { passed, failed } = total(rows);
console.log(closingLine(rows));
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
