'use strict';
// Simulated worlds of the library's own JavaScript: admission, settlement,
// executors and pools, over a clock, an addon and threads that a seed decides.
//
//   node test/sim-js/main.js [--worlds N] [--seed S] [--kind queue]
//   node test/sim-js/main.js --seed today                each day other worlds
//   node test/sim-js/main.js --replay S --kind queue     shows its steps

const { IsolateWorld } = require('./isolate-world.js');
const { QueueWorld } = require('./queue-world.js');
const { ThreadWorld } = require('./thread-world.js');

const KINDS = { queue: QueueWorld, isolate: IsolateWorld, thread: ThreadWorld };

const SHOWN = 400;
const DAY_MS = 86_400_000;
const WORLDS_A_DAY = 1_000_000;

function numberOf(text) {
  if (text === 'today') return Math.floor(Date.now() / DAY_MS) * WORLDS_A_DAY;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new Error(`${text} is no number`);
  }
  return number;
}

function readArguments(args) {
  const options = { worlds: 3000, seed: 1, kind: undefined, replay: undefined };
  for (let i = 0; i < args.length; i += 2) {
    const name = args[i].slice(2);
    const value = args[i + 1];
    if (!Object.hasOwn(options, name) || value === undefined) {
      throw new Error(`unknown option ${args[i]}`);
    }
    options[name] = name === 'kind' ? value : numberOf(value);
  }
  return options;
}

const unhandled = [];
process.on('unhandledRejection', (error) => unhandled.push(error));
process.removeAllListeners('warning');

async function runOne(kind, seed) {
  const world = new KINDS[kind](seed);
  let problems;
  try {
    problems = await world.run();
  } catch (error) {
    problems = [...world.problems, `thrown: ${error?.stack}`];
  }
  for (const error of unhandled.splice(0)) {
    problems.push(`unhandled rejection: ${error?.stack ?? error}`);
  }
  return { problems, steps: world.steps };
}

async function main() {
  const { worlds, seed, kind, replay } = readArguments(process.argv.slice(2));
  if (kind !== undefined && !Object.hasOwn(KINDS, kind)) {
    throw new Error(`there is no kind ${kind}`);
  }
  const kinds = kind === undefined ? Object.keys(KINDS) : [kind];
  const first = replay ?? seed;
  const count = replay === undefined ? worlds : 1;
  for (const each of kinds) {
    const began = process.hrtime.bigint();
    let steps = 0;
    for (let at = first; at < first + count; at += 1) {
      const world = await runOne(each, at);
      steps += world.steps.length;
      if (replay !== undefined) console.log(world.steps.join('\n'));
      if (world.problems.length === 0) continue;
      if (replay === undefined) {
        console.log(world.steps.slice(-SHOWN).join('\n'));
      }
      console.log(`FAIL ${each} world, seed ${at}:`);
      for (const problem of world.problems.slice(0, 8)) {
        console.log(`  ${problem}`);
      }
      console.log(`npm run test:sim:js -- --kind ${each} --replay ${at}`);
      process.exitCode = 1;
      return;
    }
    const seconds = Number(process.hrtime.bigint() - began) / 1e9;
    console.log(
      `${each}: ${count} worlds, ${steps} steps, 0 failed, ${seconds.toFixed(1)} s`,
    );
  }
}

main();
