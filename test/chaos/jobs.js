'use strict';
// The jobs that chaotic pools are asked to do. `ends` is false for those that
// only a limit ends.

const COMMON = [
  { run: () => 1, ends: true },
  { run: ({ input }) => input, ends: true },
  {
    run: async ({ input }) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return input;
    },
    ends: true,
  },
  {
    run: () => {
      for (;;);
    },
    ends: false,
  },
  {
    run: () => {
      const again = () => Promise.resolve().then(again);
      again();
      return new Promise(() => {});
    },
    ends: false,
  },
  {
    run: () => {
      setInterval(() => {}, 1);
      return new Promise(() => {});
    },
    ends: false,
  },
  { run: () => /^(a+)+$/.test(`${'a'.repeat(40)}b`), ends: false },
  {
    run: () => {
      throw new RangeError('on purpose');
    },
    ends: true,
  },
  {
    run: ({ emit }) => {
      for (let i = 0; i < 20; i++) emit({ i });
    },
    ends: true,
  },
  {
    run: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('aborted'));
        setTimeout(resolve, 20);
      }),
    ends: true,
  },
  { run: () => new Uint8Array(50_000), ends: true },
  {
    run: async ({ host }) => (await host.twice(21)) + (await host.later(1)),
    ends: true,
  },
  { run: ({ host }) => host.fails(), ends: true },
  { run: ({ host }) => host.never(), ends: false },
  {
    run: () => {
      Promise.reject(new Error('nobody listens'));
      setTimeout(() => {
        throw new Error('nobody catches');
      }, 1);
      return new Promise((resolve) => setTimeout(resolve, 3));
    },
    ends: true,
  },
  {
    run: () => ({
      get x() {
        throw new Error('trap');
      },
    }),
    ends: true,
  },
  { run: () => new Map(), ends: true },
  { run: () => process.exit(3), ends: true },
  { run: () => structuredClone({ a: new Date(0) }).a.getTime(), ends: true },
];

// Ends when the worker finds that nothing is left to wait for. What another
// job left there would be something.
const NEVER = () => new Promise(() => {});

const HUNGRY = [
  () => {
    const all = [];
    for (;;) all.push({ a: all.length, b: [1, 2] });
  },
  () => {
    const all = [];
    for (;;) all.push(new Uint8Array(1_000_000).fill(1));
  },
  () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    for (;;) memory.grow(16);
  },
  () => {
    // (module (memory (export "m") 1) (func (export "f")
    //   (loop (drop (memory.grow (i32.const 16))) (br 0))))
    const bytes = new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1,
      7, 9, 2, 1, 109, 2, 0, 1, 102, 0, 0, 10, 14, 1, 12, 0, 3, 64, 65, 16, 64,
      0, 26, 12, 0, 11, 11,
    ]);
    new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f();
  },
  () => {
    let text = 'abcdefgh';
    const all = [];
    for (;;) {
      text += text;
      all.push(text.charCodeAt(text.length - 1), JSON.stringify(text).length);
    }
  },
];

const JOBS = [...COMMON, { run: NEVER, ends: true }];

// Most of these await, because they are for workers that run several at a time.
const SHARED = [
  ...COMMON,
  { run: NEVER, ends: false },
  { run: async ({ input, host }) => (await host.later(input)) + 1, ends: true },
  {
    run: async ({ input }) => {
      for (let i = 0; i < 5; i++) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return input;
    },
    ends: true,
  },
  {
    run: async ({ host }) => {
      await Promise.all(Array.from({ length: 20 }, (_, i) => host.twice(i)));
    },
    ends: true,
  },
  {
    run: async () => {
      for (;;) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    ends: false,
  },
];

const HOST = {
  twice: (n) => n * 2,
  later: (n) => new Promise((resolve) => setTimeout(resolve, 2, n)),
  fails: () => {
    throw new TypeError('host');
  },
  never: () => new Promise(() => {}),
};

module.exports = { HOST, HUNGRY, JOBS, NEVER, SHARED };
