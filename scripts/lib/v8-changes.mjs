// The changes to the text of Node's v8: what concerns the process, writes files
// or is told to a debugger is taken out, and comes from internal/v8/own.

import { callLater, fail, INSPECT, replaceOnce } from './text-changes.mjs';

const ID = 'v8';
const OWN = 'internal/v8/own';
// Not every Node has all of them.
const FUNCTIONS = [
  'getCppHeapStatistics',
  'getHeapSnapshot',
  'setFlagsFromString',
  'setHeapProfileNearHeapLimit',
  'setHeapSnapshotNearHeapLimit',
  'startCpuProfile',
  'startHeapProfile',
  'writeHeapSnapshot',
];
const CLASSES = ['GCProfiler', 'SyncCPUProfileHandle', 'SyncHeapProfileHandle'];
const MODULES = [
  'internal/fs/utils',
  'internal/heap_utils',
  'internal/options',
  'internal/v8/cpu_profiler',
  'internal/v8/heap_profile',
  'path',
];

const cut = (text, pattern) => text.replace(pattern, '');
const statement = (call) =>
  new RegExp(`^const (?:\\{[^{}]*\\}|\\w+) = ${call};\\n`, 'm');

export function withoutProcess(text) {
  let rest = callLater(ID, text, INSPECT);
  for (const name of FUNCTIONS) {
    rest = cut(rest, new RegExp(`^function ${name}\\([^]*?^}\\n`, 'm'));
  }
  for (const name of CLASSES) {
    rest = cut(rest, new RegExp(`^class ${name} [^]*?^}\\n`, 'm'));
  }
  for (const id of MODULES) {
    rest = cut(rest, statement(`require\\('${id}'\\)`));
  }
  rest = cut(rest, statement("internalBinding\\('heap_utils'\\)"));
  rest = replaceOnce(
    ID,
    rest,
    `let profiler = {};
if (internalBinding('config').hasInspector) {
  profiler = internalBinding('profiler');
}
`,
    `const profiler = require('${OWN}');
`,
  );
  const [, exported] = /^module\.exports = \{([^{}]*)\};/m.exec(rest) ?? [];
  if (exported === undefined) fail(ID, 'no list of exports');
  const taken = [...FUNCTIONS, 'GCProfiler', 'queryObjects']
    .filter((name) => exported.includes(`  ${name},\n`))
    .join(', ');
  const buffer = "const { Buffer } = require('buffer');\n";
  const own = `${buffer}const { ${taken} } = require('${OWN}');\n`;
  return replaceOnce(ID, rest, buffer, own);
}
