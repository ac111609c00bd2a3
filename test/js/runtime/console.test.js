'use strict';

const { execFileSync } = require('node:child_process');
const { join } = require('node:path');

const { createBareContext } = require('./bare-context.js');

const MAJOR = Number(process.versions.node.split('.')[0]);
// The formatter is that of the newest Node; these were different before.
const CHANGED = [
  { since: 26, source: /new Proxy/ },
  { since: 24, source: /Symbol\.toStringTag/ },
];

function compare() {
  const script = join(__dirname, 'inspect-cases.js');
  const flags = ['--expose-internals', '--no-warnings'];
  const text = execFileSync(process.execPath, [...flags, script], {
    encoding: 'utf8',
  });
  return JSON.parse(text);
}

const comparable = ({ source }) =>
  !CHANGED.some((change) => MAJOR < change.since && change.source.test(source));

describe('console and inspect', () => {
  const result = compare();

  test('inspect shows values as Node does', () => {
    expect(result.shown.length).toBeGreaterThan(60);
    const cases = result.shown.filter(comparable);
    const ours = cases.map(({ source, ours: text }) => ({ source, text }));
    const nodes = cases.map(({ source, nodes: text }) => ({ source, text }));
    expect(ours).toEqual(nodes);
  });

  test('format directives mean what they mean in Node', () => {
    expect(result.formatted.map(({ ours }) => ours)).toEqual(
      result.formatted.map(({ nodes }) => nodes),
    );
  });

  test('every method writes what Node writes', () => {
    expect(result.out.ours).toBe(result.out.nodes);
    expect(result.err.ours).toBe(result.err.nodes);
    expect(result.warnings.ours).toEqual(result.warnings.nodes);
    expect(result.warnings.ours.length).toBeGreaterThan(2);
  });

  test('both streams keep one order', () => {
    const bare = createBareContext();
    bare.run(`console.log(1); console.error(2); console.log(3);`);
    expect(bare.output).toEqual([
      { fd: 1, text: '1\n' },
      { fd: 2, text: '2\n' },
      { fd: 1, text: '3\n' },
    ]);
  });

  test('time tells the time of the clock', () => {
    const bare = createBareContext();
    bare.run(`console.time(); console.time('b');`);
    return bare.loop.advance(1500).then(() => {
      bare.run(`console.timeLog('b', { x: 1 }); console.timeEnd();`);
      expect(bare.text(1)).toBe('b: 1.500s { x: 1 }\ndefault: 1.500s\n');
    });
  });

  test('trace names the caller', () => {
    const bare = createBareContext();
    bare.run(`function caller() { console.trace('at %s', 'x'); } caller();`);
    const [first, second] = bare.text(2).split('\n');
    expect(first).toBe('Trace: at x');
    expect(second).toMatch(/^ {4}at caller \(user\.js:1:\d+\)$/);
  });

  test('methods work alone and survive a poisoned realm', () => {
    const bare = createBareContext();
    bare.run(`
      console.log('warm');
      const { log } = console;
      Object.keys = Object.defineProperty = () => { throw 2; };
      String.prototype.replace = String.prototype.slice = () => { throw 3; };
      RegExp.prototype.exec = RegExp.prototype.test = () => { throw 4; };
      const { prototype } = Function;
      prototype.call = prototype.apply = prototype.bind = () => { throw 5; };
      log('%s', 'still');
      log({ a: [1, 'x'], m: 1 });`);
    expect(bare.text(1)).toBe("warm\nstill\n{ a: [ 1, 'x' ], m: 1 }\n");
  });

  test('a realm that was changed before its first use prints', () => {
    const bare = createBareContext();
    bare.run(`
      const fails = () => { throw new Error('changed'); };
      Array.prototype[Symbol.iterator] = fails;
      String.prototype.startsWith = String.prototype.endsWith = fails;
      Array.from = Array.prototype.values = fails;
      console.log('a', 1);
      console.error({ b: [2, 'x'] });
      console.warn('c');`);
    expect(bare.text(1)).toBe('a 1\n');
    expect(bare.text(2)).toBe("{ b: [ 2, 'x' ] }\nc\n");
  });

  test('printing loads neither the process, emitters nor buffers', () => {
    const bare = createBareContext();
    bare.run(`console.log('a', { b: 1 }); console.error('c');`);
    const rare = /process|events|buffer|diagnostics|util|rare/;
    expect(bare.compiled.filter((name) => rare.test(name))).toEqual([]);
    expect(bare.compiled).toContain('library-console');
  });

  test('the streams are those of the process, which a job may replace', () => {
    const bare = createBareContext();
    bare.run(`
      console.log('first');
      console.log(console._stdout === process.stdout);
      console.log(console._stderr === process.stderr);
      const { write } = process.stdout;
      const seen = [];
      process.stdout.write = (text) => seen.push(text);
      console.log('kept');
      process.stdout.write = () => { throw new Error('not shown'); };
      console.log('lost');
      process.stdout.write = write;
      console.log(seen);
      process.stdout.once('told', (text) => console.log(text));
      process.stdout.emit('told', 'emitter');
    `);
    expect(bare.text(1)).toBe("first\ntrue\ntrue\n[ 'kept\\n' ]\nemitter\n");
    const Emitter = bare.api.builtin('events');
    expect(bare.run('process.stderr') instanceof Emitter).toBe(true);
  });

  test('a stream that a job has put in before the first use is used', () => {
    const bare = createBareContext();
    bare.run(`
      globalThis.seen = [];
      const value = { write: (text) => seen.push(text), once() {},
        listenerCount: () => 0, removeListener() {} };
      Object.defineProperty(process, 'stdout', { value });
      console.log('x');`);
    expect(bare.text(1)).toBe('');
    expect(bare.run('seen[0]')).toBe('x\n');
  });

  test('a Console checks its options as Node does', () => {
    const bare = createBareContext();
    const { Console } = require('node:console');
    const inner = bare.run(`console.Console`);
    const codes = (Class) =>
      [
        [],
        [{}],
        [{ stdout: process.stdout, colorMode: 1 }],
        [{ stdout: process.stdout, groupIndentation: 1001 }],
        [{ stdout: process.stdout, inspectOptions: 1 }],
        [
          {
            stdout: process.stdout,
            colorMode: true,
            inspectOptions: { colors: true },
          },
        ],
      ].map((args) => {
        try {
          return new Class(...args).constructor.name;
        } catch ({ name, code, message }) {
          return { name, code, message };
        }
      });
    expect(codes(inner)).toEqual(codes(Console));
    expect(bare.run('console instanceof console.Console')).toBe(true);
  });

  test('FORCE_COLOR colours as in Node', () => {
    const { process: facts } = createBareContext().host;
    const colored = (FORCE_COLOR) => {
      const overrides = { process: { ...facts, env: { FORCE_COLOR } } };
      const bare = createBareContext({ overrides });
      bare.run(`console.log('a', 1, ['b']);`);
      return bare.text(1);
    };
    expect(colored('0')).toBe("a 1 [ 'b' ]\n");
    expect(colored('1')).toBe(
      "a \u001b[33m1\u001b[39m [ \u001b[32m'b'\u001b[39m ]\n",
    );
  });

  const channels = MAJOR >= 22 ? test : test.skip;
  channels('channels tell what is printed, since Node 22', () => {
    const bare = createBareContext();
    bare.run(`console.log('before')`);
    const channels = bare.api.builtin('diagnostics_channel');
    bare.run(`(({ subscribe, unsubscribe }) => {
      const seen = [];
      const hear = (args, name) => seen.push([name, ...args]);
      subscribe('console.log', hear);
      subscribe('console.error', hear);
      console.log('a', 1);
      console.error('b');
      console.info('c');
      unsubscribe('console.log', hear);
      console.log('d');
      console.log(JSON.stringify(seen));
    })`)(channels);
    expect(bare.text(1)).toBe(
      'before\na 1\nc\nd\n[["console.log","a",1],["console.error","b"]]\n',
    );
  });

  test('an error shows its stack, its cause and its fields', () => {
    const bare = createBareContext();
    bare.run(`
      const cause = new TypeError('inner');
      const error = new Error('outer', { cause });
      error.code = 'E_X';
      console.error(error);`);
    const text = bare.text(2);
    expect(text).toMatch(/^Error: outer\n {4}at user\.js:3:/);
    expect(text).toMatch(/code: 'E_X'/);
    expect(text).toMatch(/\[cause\]: TypeError: inner\n/);
  });

  test('a DOMException and an AbortError look like errors', () => {
    const bare = createBareContext();
    bare.run(`console.log(AbortSignal.abort().reason)`);
    expect(bare.text(1)).toMatch(
      /^DOMException \[AbortError\]: This operation was aborted\n {4}at /,
    );
  });
});
