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
    const older = (text) =>
      text.replace('failed: [object Object]', 'failed { a: 1 }');
    expect(result.err.ours).toBe(older(result.err.nodes));
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
