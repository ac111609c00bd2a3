// Sends SIGTERM to a program with work under way, as a container's host does:
//   node examples/shutdown/main.mjs

import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('./app.mjs', import.meta.url));
const app = spawn(process.execPath, [path], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const lines = [];
createInterface(app.stdout).on('line', (line) => {
  console.log(`app: ${line}`);
  lines.push(line);
  if (line === 'working') app.kill('SIGTERM');
});
const [code, signal] = await once(app, 'close');
console.log(`ended with ${signal ?? `code ${code}`}`);

assert.deepStrictEqual(lines, [
  'working',
  'no new requests from here on',
  'finished 10 of 10 jobs',
  'a late one: SLOPPY_E_WORK_QUEUE_STOPPED',
  'closed the database',
]);
// A signal is the honest end: whoever sent it sees that it worked. Windows has
// none, there the program is just gone.
if (process.platform !== 'win32') assert.strictEqual(signal, 'SIGTERM');
console.log('ok');
