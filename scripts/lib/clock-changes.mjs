// The changes to the modules of node:perf_hooks.

import {
  callLater,
  fail,
  INSPECT,
  replaceEach,
  replaceOnce,
  takenOf,
} from './text-changes.mjs';

// Most jobs ask for the time, and measure nothing else.
export function withLateEntries(text) {
  const id = 'internal/perf/performance';
  const entries = ['internal/perf/observe', 'internal/perf/usertiming'].map(
    (module) => [module, takenOf(id, text, module)],
  );
  let late = callLater(id, text, 'util', INSPECT);
  for (const [module, [taken, names]] of entries) {
    late = replaceOnce(id, late, taken, '');
    for (const [name] of names.matchAll(/\w+/g)) {
      // Methods have the same names.
      const call = new RegExp(`^( {4}(?:return )?)${name}(?=\\()`, 'gm');
      if (name === 'setDispatchBufferFull') continue;
      if (!call.test(late)) fail(id, `no call of ${name}`);
      late = late.replaceAll(call, `$1require('${module}').${name}`);
    }
  }
  return replaceEach(id, late, [
    ['setDispatchBufferFull(dispatchBufferFull);\n', ''],
    [
      '  Performance,\n  performance,\n',
      '  Performance,\n  dispatchBufferFull,\n  performance,\n',
    ],
    [
      "const { markResourceTiming } = require('internal/perf/resource_timing');\n",
      '',
    ],
    ["const nodeTiming = require('internal/perf/nodetiming');\n", ''],
    ["const timerify = require('internal/perf/timerify');\n", ''],
    ...['nodeTiming', 'markResourceTiming', 'timerify'].map((name) => [
      lateMember(name),
      '',
    ]),
    [
      "defineEventHandler(Performance.prototype, 'resourcetimingbufferfull');\n",
      `require('internal/late').defineLazy(Performance.prototype, ['nodeTiming', 'markResourceTiming', 'timerify'], false, (name) => {
  if (name === 'nodeTiming') return require('internal/perf/nodetiming');
  if (name === 'timerify') return require('internal/perf/timerify');
  return require('internal/perf/resource_timing').markResourceTiming;
});
defineEventHandler(Performance.prototype, 'resourcetimingbufferfull');
`,
    ],
  ]);
}

const lateMember = (name) => `  ${name}: {
    __proto__: null,
    configurable: true,
    // Node.js specific extensions.
    enumerable: false,
    writable: true,
    value: ${name},
  },
`;

// The events of a buffer that is full are those of the clock's module.
export const withLateBufferFull = (text) =>
  replaceOnce(
    'internal/perf/observe',
    callLater('internal/perf/observe', text, 'util', INSPECT),
    "        dispatchBufferFull('resourcetimingbufferfull');",
    "        require('internal/perf/performance').dispatchBufferFull('resourcetimingbufferfull');",
  );
