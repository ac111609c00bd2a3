'use strict';

// Programs over modules that are not all Node's text, which answer in an
// isolate as on a thread of Node's.

const { answersAsInNode } = require('./as-in-node-support.js');
const [major] = process.versions.node.split('.').map(Number);

const PROGRAMS = {
  'timers/promises refuse what they cannot take': async () => {
    const timers = await import('node:timers/promises');
    const odd = [null, 1, 'text', []];
    const works = [
      ...odd.map((options) => () => timers.setTimeout(1, 0, options)),
      ...odd.map((signal) => () => timers.setTimeout(1, 0, { signal })),
      ...odd.map((ref) => () => timers.setImmediate(0, { ref })),
      ...odd.map((options) => () => timers.setInterval(1, 0, options).next()),
      () => timers.setTimeout('1'),
      () => timers.setTimeout(1, 0, { signal: AbortSignal.abort('why') }),
      () => new timers.scheduler.constructor(),
      () => timers.scheduler.wait.call({}, 1),
    ];
    const results = [];
    for (const work of works) {
      try {
        results.push(typeof (await work()));
      } catch ({ name, message, code, cause }) {
        results.push([name, message, code, cause]);
      }
    }
    return results;
  },
  'warnings name a code, if they have one': async () => {
    const { deprecate } = (await import('node:util')).default;
    const process = (await import('node:process')).default;
    const seen = [];
    const note = ({ name, code, message }) => seen.push([name, code, message]);
    process.on('warning', note);
    deprecate(() => {}, 'one')();
    deprecate(() => {}, 'two', 'DEP_TWO')();
    process.emitWarning('three', 'Other', note);
    process.emitWarning('four', note);
    for (const odd of [null, 1]) {
      try {
        process.emitWarning('five', odd);
      } catch ({ name, code, message }) {
        seen.push([name, code, message]);
      }
    }
    for (const odd of [null, undefined, 5, {}, Symbol('six')]) {
      try {
        process.emitWarning(odd);
      } catch ({ name, code, message }) {
        seen.push([name, code, message]);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('warning', note);
    return seen.sort();
  },
  'contexts are bound as Node binds them': async () => {
    const hooks = (await import('node:async_hooks')).default;
    const { AsyncLocalStorage, AsyncResource } = hooks;
    const told = (work) => {
      try {
        return [work()];
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    };
    const shape = (bound) => [bound.length, bound.name, Object.keys(bound)];
    const resource = new AsyncResource('one');
    const odd = [5, undefined, null, 'x', {}, "it's", 'x'.repeat(40), -0];
    const bare = { __proto__: null };
    return [
      Object.keys(hooks),
      Object.getOwnPropertyNames(AsyncResource.prototype).sort(),
      ['name' in AsyncLocalStorage.prototype, new AsyncLocalStorage().name],
      told(() => new AsyncLocalStorage({ name: 'n' }).name),
      [...odd, bare].map((value) => [
        told(() => resource.bind(value)),
        told(() => AsyncResource.bind(value)),
        told(() => typeof AsyncResource.bind(() => {}, value)),
        told(() => AsyncLocalStorage.bind(value)),
        told(() => AsyncLocalStorage.snapshot()(value)),
        told(() => typeof new AsyncResource(value)),
      ]),
      shape(resource.bind((a, b) => [a, b])),
      shape(resource.bind((a) => a, 1)),
      shape(AsyncResource.bind((a) => a)),
      shape(AsyncLocalStorage.bind((a) => a)),
      shape(AsyncLocalStorage.snapshot()),
      AsyncResource.bind(
        function own(a) {
          return [+this, a];
        },
        'type',
        7,
      )(1),
      [AsyncResource.bind.length, resource.bind.length],
    ];
  },
  'what timers/promises are': async () => {
    const timers = (await import('node:timers/promises')).default;
    const { inspect } = (await import('node:util')).default;
    return inspect(timers, { showHidden: true });
  },
  'parseArgs without arguments of its own': async () => {
    const { parseArgs } = (await import('node:util')).default;
    const { positionals } = parseArgs({ strict: false });
    return typeof positionals.length;
  },
  'what is shown of classes that extend an interface': async () => {
    const { format, inspect } = (await import('node:util')).default;
    class Place extends URL {
      more = 1;
    }
    const form = new FormData();
    form.append('a', '1');
    form.append('a', '2');
    return [
      format('%s', new Place('http://a/b')),
      inspect(new DOMException('m'), { showHidden: true }).includes('name: ['),
      inspect({ form, none: new FormData() }, { depth: 0 }),
      inspect(form),
    ];
  },
  'what cloning and ports refuse': async () => {
    const { MessageChannel: Channel } = (await import('node:worker_threads'))
      .default;
    const { port1, port2 } = new Channel();
    const twice = new ArrayBuffer(1);
    // Node 20 takes other errors than the standard for these.
    const since22 = !process.version.startsWith('v20.');
    const works = [
      () => structuredClone(),
      () => structuredClone(1, () => {}),
      ...[5, 'x', true].map((odd) => () => structuredClone(1, odd)),
      ...[5, 'x', '', {}, null, () => {}, Symbol('s')].map(
        (transfer) => () => structuredClone(1, { transfer }),
      ),
      () => structuredClone.length,
      ...(since22 ? [new Uint8Array(1), new SharedArrayBuffer(1), 5] : []).map(
        (odd) => () => structuredClone(1, { transfer: [odd] }),
      ),
      () => port1.postMessage(),
      ...[5, 'x', {}, null, [port1], [twice, twice]].map(
        (odd) => () => port1.postMessage(1, odd),
      ),
      ...[5, null].map((transfer) => () => port1.postMessage(1, { transfer })),
      () => port1.postMessage(Symbol('s')),
    ];
    const results = works.map((work) => {
      try {
        return work();
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    });
    port1.close();
    port2.close();
    return results;
  },
  'zlib drops fractions of its numbers': async () => {
    const zlib = (await import('node:zlib')).default;
    const results = [];
    for (const name of ['level', 'windowBits', 'memLevel', 'strategy']) {
      for (const number of [1.5, 8.9, 9.5, -1.5]) {
        try {
          const packed = zlib.deflateRawSync('abc'.repeat(99), {
            [name]: number,
          });
          results.push(packed.toString('hex'));
        } catch ({ message, code }) {
          results.push([message, code]);
        }
      }
    }
    const stream = zlib.createDeflateRaw();
    stream.write('abc');
    await new Promise((resolve) => stream.params(1.5, 0, resolve));
    stream.end('def');
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return [...results, Buffer.concat(chunks).toString('hex')];
  },
  'what async_hooks and blobs refuse': async () => {
    const { AsyncLocalStorage, AsyncResource } = await import(
      'node:async_hooks'
    );
    const odd = [null, 1, 1.5, {}];
    return [
      ...odd.map((type) => () => new AsyncResource(type)),
      ...odd.map((options) => () => new AsyncResource('a', options)),
      () => new AsyncLocalStorage(null),
      () => new AsyncLocalStorage([]),
      ...[null, 1, 'text'].map((parts) => () => new Blob(parts)),
      ...[1, 'text'].map((options) => () => new Blob([], options)),
      () => new Blob([], { endings: 'x' }),
      () => new File(),
    ].map((work) => {
      try {
        return work().constructor.name;
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    });
  },
};

// Node 20 resets it under the thread that writes.
if (major > 20) {
  PROGRAMS['a stream of zlib is not reset during a write'] = async () => {
    const zlib = (await import('node:zlib')).default;
    const told = [];
    for (const make of [zlib.createGzip, zlib.createBrotliCompress]) {
      const stream = make();
      const sizes = [];
      stream.on('data', ({ length }) => sizes.push(length));
      stream.write('some text');
      try {
        stream.reset();
      } catch (error) {
        told.push([error.name, error.message, Object.keys(error)]);
      }
      stream.end();
      await new Promise((resolve) => stream.on('close', resolve));
      told.push(sizes);
    }
    return told;
  };
}

// Later ones have them no longer.
if (major < 24) {
  PROGRAMS['timers of objects of another kind'] = async () => {
    const timers = (await import('node:timers')).default;
    const log = [];
    const made = (delay) => ({
      _idleTimeout: delay,
      _onTimeout() {
        log.push(delay);
      },
    });
    const [one, two, ended] = [made(1), made(2), made(3)];
    timers.active(one);
    timers.active(ended);
    timers.unenroll(ended);
    timers.enroll(two, 4);
    timers.active(two);
    const bad = [];
    for (const delay of ['1', -1, Number.NaN]) {
      try {
        timers.enroll({}, delay);
      } catch ({ name, message, code }) {
        bad.push([name, message, code]);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    return [log, bad, one._destroyed, ended._idleTimeout, two._idleTimeout];
  };
}

answersAsInNode(PROGRAMS);
