'use strict';

const { figure, goalText, verdict } = require('./format.js');

/** One answer for a terminal. */
function printAnswer({ name, title, lines, failed, missing }) {
  console.log(`\n${name}: ${title}`);
  for (const line of lines) {
    console.log(`  ${line.title} (${line.unit}, ${line.better} is better)`);
    for (const [peer, { median, low, high }] of Object.entries(line.peers)) {
      const spread = `${figure(low)} to ${figure(high)}`;
      console.log(
        `    ${peer.padEnd(38)}${figure(median).padStart(11)}   ${spread}`,
      );
    }
    for (const goal of line.goals) {
      const value = goal.value === undefined ? '' : ` (${figure(goal.value)})`;
      console.log(`    goal ${goalText(goal, line)}: ${verdict(goal)}${value}`);
    }
  }
  for (const [peer, why] of Object.entries({ ...failed, ...missing })) {
    console.log(`    ${peer}: ${why}`);
  }
}

module.exports = { printAnswer };
