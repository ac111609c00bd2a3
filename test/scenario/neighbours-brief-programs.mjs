// expect: exit 0
// limit: 120 s
// The programs of QOper8's own documentation shape: a folder with relative
// modules, run from that folder.

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const library = (name) =>
  JSON.stringify(fileURLToPath(new URL(`../../lib/${name}`, import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'brief-'));
const write = (name, text) => writeFileSync(join(folder, name), text);
const run = (name) =>
  execFileSync(process.execPath, [name], { cwd: folder }).toString();

try {
  write(
    'myMessage.mjs',
    `let handler = function(obj, finished) {
      finished({ processing: 'done', data: obj.data, foo: this.foo,
        bar: this.bar && this.bar() });
    };
    export {handler};`,
  );
  write(
    'myStartupModule.mjs',
    `let onStartupModule = function(props) {
      props = props || {};
      this.foo = props.foo;
      this.bar = props.bar;
      this.on('stop', function() { console.log('about to be shut down'); });
    };
    export {onStartupModule};`,
  );
  write(
    'app.mjs',
    `import {QOper8} from ${library('qoper8.mjs')};
    let qoper8 = new QOper8({
      handlersByMessageType: new Map([
        ['myMessage', {module: './myMessage.mjs'}]
      ]),
      onStartup: {
        module: './myStartupModule.mjs',
        arguments: { foo: 'foo 123', bar: function() { return 'bar 456'; } }
      },
      workerInactivityLimit: 2
    });
    let res = await qoper8.send({ type: 'myMessage', data: { hello: 'world' } });
    console.log(JSON.stringify(res));
    await qoper8.stop();`,
  );
  write(
    'benchmark.mjs',
    `import {benchmark} from ${library('qoper8/benchmark.mjs')};
    let entries = new Map();
    let QBackup = {
      add: function(id, requestObject) { entries.set(id, requestObject); },
      delete: function(id) { entries.delete(id); }
    };
    process.on('exit', () => console.log('left ' + entries.size));
    benchmark({ poolSize: 3, maxMessages: 5000, blockLength: 1000, delay: 5, QBackup: QBackup });`,
  );

  const [answer, farewell] = run('app.mjs').trim().split('\n');
  assert.deepStrictEqual(JSON.parse(answer), {
    processing: 'done',
    data: { hello: 'world' },
    foo: 'foo 123',
    bar: 'bar 456',
    qoper8: { finished: true },
  });
  assert.strictEqual(farewell, 'about to be shut down');

  const report = run('benchmark.mjs');
  assert.match(report, /^Block no: 1 \(0\): Queue exhausted$/m);
  assert.match(report, /^Completed sending messages$/m);
  assert.match(report, /^5000 messages: [\d.]+ sec$/m);
  assert.match(report, /^Processing rate: [\d.]+ message\/sec$/m);
  const handled = [...report.matchAll(/^Worker Thread \d: (\d+) messages/gm)];
  assert.strictEqual(handled.length, 3);
  const sum = handled.reduce((total, [, count]) => total + Number(count), 0);
  assert.strictEqual(sum, 5000);
  assert.match(report, /^left 0$/m);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log('pass');
