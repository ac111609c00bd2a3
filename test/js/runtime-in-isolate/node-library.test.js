'use strict';

const { isBuiltin } = require('node:module');
// Node's own text inside an isolate (src/runtime/node): what it answers and
// throws is what this Node answers and throws.

const { execFileSync } = require('node:child_process');

const { WorkerPool } = require('../../../lib');
const GROUPS = require('../../../src/runtime/node/groups.json');

const answers = () => {
  const [assert, channels, EventEmitter, path, querystring, util] = [
    'assert',
    'diagnostics_channel',
    'events',
    'path',
    'querystring',
    'util',
  ].map(process.getBuiltinModule);
  const heard = [];
  const emitter = new EventEmitter();
  emitter.on(EventEmitter.errorMonitor, (error) => heard.push(`${error}`));
  emitter.once('a', (...values) => heard.push(values));
  const target = new EventTarget();
  target.addEventListener('a', heard.push);
  channels.subscribe('one', (message, name) => heard.push([message, name]));
  const told = (work) => {
    try {
      return util.inspect(work(), { depth: 9, showHidden: true });
    } catch (error) {
      const [first] = error.stack.split('\n');
      return [error.name, error.code, error.message, first, `${error}`];
    }
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  return [
    () => Object.keys(path),
    () => path.join(1),
    () => path.win32.parse('C:\\a\\b.c'),
    () => path.relative('/a/b', '/a/c'),
    () => querystring.parse('a=1&a=%zz&b'),
    () => querystring.stringify({ a: [1n, true], b: '\ud83d\ude00' }),
    () => querystring.escape('\ud800'),
    () => new Map([[1, { a: Promise.resolve(2) }]]).entries(),
    () => new WeakSet([{ a: 1 }]),
    () => [revoked.proxy, new Proxy([1], {}), new Proxy(class {}, {})],
    () => Object.assign(new TypeError('a'), { code: 'E', cause: [1] }).cause,
    () => [new Uint8Array(3), new DataView(new ArrayBuffer(2)), 1n, -0],
    () => util.inspect({}, 1, { depth: 'x' }),
    () => util.types.isExternal(1),
    () => Object.keys(util.types).sort(),
    () => assert.deepStrictEqual({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }),
    () => assert.notDeepEqual(new Set([1, {}]), new Set([1, {}])),
    () => assert.throws(() => assert.fail(new RangeError('mine')), TypeError),
    () => assert.match('abc', /x/),
    () => assert.strictEqual(1, 2, 'told'),
    () =>
      util.isDeepStrictEqual(new Map([[{}, [NaN]]]), new Map([[{}, [NaN]]])),
    () => util.isDeepStrictEqual([0], [-0]),
    () => util.parseArgs({ args: ['--no'] }),
    () => util.promisify(1),
    () => util.inherits(class {}, 1),
    () => util.getSystemErrorName(-2),
    () => util.getSystemErrorName(1),
    () => `${new util.MIMEType('text/HTML; a="b c"')}`,
    () => util.parseEnv(`A=1\nB="x\\ny" # c\n export C = 'q' \n#D=1\nE= a #b`),
    () => util.format('%s %d %i %j %o %%', 'a', '1.5', 2.7, { a: 1 }, [1]),
    () => emitter.emit('error', new TypeError('of the emitter')),
    () => emitter.emit('error', { no: 'error' }),
    () => [emitter.emit('a', 1, 2), emitter.emit('a', 3), emitter.eventNames()],
    () => EventEmitter.getEventListeners(target, 'a').length,
    () => EventEmitter.setMaxListeners(-1),
    () => emitter.on('a', 1),
    () => channels.channel('one').publish({ a: 1 }),
    () => channels.channel(1),
    () => channels.tracingChannel('two').traceSync(() => 7),
    () => heard,
  ].map(told);
};

test('answers and errors are those of the main thread', async () => {
  const pool = WorkerPool.create('node-library', { workers: 1 });
  try {
    const code = `JSON.stringify((${answers})())`;
    const args = ['--no-deprecation', '-p', code];
    const expected = execFileSync(process.execPath, args, { encoding: 'utf8' });
    expect(await pool.run(answers)).toEqual(JSON.parse(expected));
  } finally {
    await pool.stop();
  }
});

test('every module gives import all its names', async () => {
  const pool = WorkerPool.create('node-library-names', { workers: 1 });
  const ask = async ({ input }) => {
    const module = await import(input);
    return [typeof module.default, Object.keys(module).length > 1];
  };
  try {
    const ids = Object.values(GROUPS)
      .flat()
      .filter((id) => !id.startsWith('internal/'));
    expect(ids.length).toBeGreaterThan(5);
    for (const id of ids) {
      // Node's own text has some that Node itself offers no more.
      if (!isBuiltin(`node:${id}`)) continue;
      const [kind, hasNames] = await pool.run(ask, { input: `node:${id}` });
      expect([id, kind !== 'undefined', hasNames]).toEqual([id, true, true]);
    }
  } finally {
    await pool.stop();
  }
});

test('its inside cannot be reached', async () => {
  const pool = WorkerPool.create('node-library-inside', { workers: 1 });
  const ask = async ({ input }) => {
    try {
      return typeof (await import(input));
    } catch (error) {
      return error.code;
    }
  };
  try {
    const names = ['node:internal/util', 'internal/errors', 'library'];
    const given = [];
    for (const name of names) given.push(await pool.run(ask, { input: name }));
    expect(given.filter((answer) => answer === 'object')).toEqual([]);
  } finally {
    await pool.stop();
  }
});
