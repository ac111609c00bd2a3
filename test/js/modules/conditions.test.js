'use strict';
// `node -C custom`: packages give isolates what they give Node's own threads.

const { join } = require('node:path');
const {
  resolveConditions,
} = require('../../../lib/executors/isolate/resolve-conditions.js');
const { folderWith, removeFolders } = require('./support.js');

const { execFileSync } = require('node:child_process');
const root = join(__dirname, '../../..');

afterEach(removeFolders);

const conditional = (order) => ({
  name: 'dep',
  exports: Object.fromEntries(order.map((name) => [name, `./${name}.js`])),
  imports: {
    '#own': Object.fromEntries(order.map((name) => [name, `./${name}.js`])),
  },
});
const NAMES = ['custom', 'other', 'node', 'default'];

function packageWith(order, script) {
  const files = {
    'node_modules/dep/package.json': JSON.stringify(conditional(order)),
    'node_modules/dep/own.js': "module.exports = require('#own');",
    'script.cjs': script,
  };
  for (const name of NAMES) {
    files[`node_modules/dep/${name}.js`] = `module.exports = '${name}';`;
  }
  files['module.mjs'] = `
    import { createRequire } from 'node:module';
    import dep from 'dep';
    const require = createRequire(import.meta.url);
    export const tell = async () =>
      [dep, (await import('dep')).default, require('dep'),
       require('./node_modules/dep/own.js')];`;
  return folderWith(files);
}

const TELL = `
  const { Worker } = require(${JSON.stringify(root)});
  globalThis.tell = async (runtime) => {
    const worker = await Worker.start(__dirname + '/module.mjs', { runtime });
    const told = await worker.invoke('tell');
    await worker.stop();
    return told;
  };
  const both = async () => ({
    isolate: await tell('isolate'),
    thread: await tell('thread'),
  });`;
const ALONE = `${TELL}
  both().then((told) => console.log(JSON.stringify(told)));`;

function run(folder, args, nodeOptions = '') {
  const env = { ...process.env, NODE_OPTIONS: nodeOptions };
  const script = join(folder, 'script.cjs');
  const options = { cwd: folder, encoding: 'utf8', env };
  return JSON.parse(execFileSync(process.execPath, [...args, script], options));
}

const same = (name) => {
  const all = [name, name, name, name];
  return { isolate: all, thread: all };
};

test.each([
  ['none', [], '', 'node'],
  ['-C', ['-C', 'custom'], '', 'custom'],
  ['--conditions', ['--conditions', 'other'], '', 'other'],
  ['--conditions=', ['--conditions=custom'], '', 'custom'],
  ['both', ['-C', 'other', '-C', 'custom'], '', 'custom'],
  ['NODE_OPTIONS', [], '--conditions=other', 'other'],
  ['NODE_OPTIONS, quoted', [], '"-C"  "custom"', 'custom'],
  ['one that is unknown', ['-C', 'nobodys'], '', 'node'],
])('%s', (_name, args, nodeOptions, expected) => {
  const folder = packageWith(NAMES, ALONE);
  expect(run(folder, args, nodeOptions)).toEqual(same(expected));
});

test("the order is the package's, as ever", () => {
  const folder = packageWith(['node', 'custom', 'default'], ALONE);
  expect(run(folder, ['-C', 'custom'])).toEqual(same('node'));
});

test('each owner has its own: Workers with execArgv', () => {
  const folder = packageWith(
    NAMES,
    `const { Worker: Thread, isMainThread, parentPort } =
      require('node:worker_threads');
    ${TELL}
    const inThread = (execArgv) => new Promise((resolve, reject) => {
      const thread = new Thread(__filename, { execArgv });
      thread.on('message', resolve);
      thread.on('error', reject);
    });
    const main = async () => {
      const told = [await both()];
      for (const execArgv of [['-C', 'other'], ['--conditions=custom'], [], undefined]) {
        told.push(await inThread(execArgv));
      }
      told.push(await both());
      console.log(JSON.stringify(told));
    };
    if (isMainThread) main();
    else both().then((told) => parentPort.postMessage(told));`,
  );
  const told = run(folder, ['-C', 'custom']);
  const names = ['custom', 'other', 'custom', 'node', 'custom', 'custom'];
  expect(told).toEqual(names.map(same));
});

test('how options are read', () => {
  const of = (text, argv = []) => resolveConditions(argv, text);
  expect(of(undefined)).toEqual([]);
  expect(of('  -C a   --conditions b --conditions=c -C a ')).toEqual([
    ...'abc',
  ]);
  expect(of('--conditions="a b" "-C" "c\\"d\\\\"')).toEqual(['a b', 'c"d\\']);
  expect(of('-C')).toEqual([]);
  expect(of('-C a', ['-C', 'b', '--conditionsx=c'])).toEqual(['a', 'b']);
});
