'use strict';
// Processes that end in every way while jobs are in every state: each child
// must end at once, with the code that belongs to the way it ended.

const { spawn } = require('node:child_process');
const { join } = require('node:path');
const { assert, pass } = require('./support/check.js');

const child = join(__dirname, 'fixtures', 'leaving.js');

/** Ways to leave, with how the process must end. */
const WAYS = {
  natural: 'code 0',
  exit: 'code 7',
  exitCode: 'code 9',
  exitInCompletion: 'code 5',
  exitInMessage: 'code 6',
  exitInExitListener: 'code 3',
  exitInStop: 'code 4',
  uncaught: 'code 1',
  uncaughtInMessage: 'code 1',
  rejection: 'code 1',
  sigterm: 'signal SIGTERM',
  sigint: 'signal SIGINT',
  workerTerminated: 'code 0',
  workerExits: 'code 0',
  workerThrows: 'code 0',
  manyWorkers: 'code 0',
};

const STATES = ['idle', 'queued', 'running', 'waiting', 'starting', 'memory'];

function leave(way, state) {
  return new Promise((resolve) => {
    const process_ = spawn(process.execPath, [child, way, state], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [process_.stdout, process_.stderr]) {
      stream.on('data', (text) => {
        output += text;
      });
    }
    process_.stdout.on('data', () => {
      if (way === 'sigterm') process_.kill('SIGTERM');
      if (way === 'sigint') process_.kill('SIGINT');
    });
    process_.once('close', (code, signal) => {
      resolve([signal ? `signal ${signal}` : `code ${code}`, output]);
    });
  });
}

(async () => {
  const [, , onlyWay, onlyState] = process.argv;
  const cases = Object.keys(WAYS).flatMap((way) =>
    STATES.map((state) => [way, state]),
  );
  const lane = async () => {
    for (let next = cases.pop(); next !== undefined; next = cases.pop()) {
      const [way, state] = next;
      if (onlyWay !== undefined && onlyWay !== way) continue;
      if (onlyState !== undefined && onlyState !== state) continue;
      const [ended, output] = await leave(way, state);
      assert.strictEqual(ended, WAYS[way], `${way} ${state}: ${output}`);
    }
  };
  await Promise.all([lane(), lane()]);
  pass();
})();
