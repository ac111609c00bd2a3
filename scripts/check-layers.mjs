// Fails when a source file of ours reaches upward or around a boundary:
// - an include of a higher layer (src/README.md has the map),
// - napi.h outside binding/, node.h outside platform_bridge and binding/,
//   V8 or uv below src/isolate,
// - a written-out diagnostic code outside the generated files.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './lib/files.mjs';
import { root } from './lib/paths.mjs';

const layers = [
  'src/base',
  'src/payload',
  'src/job',
  'src/pool',
  'src/isolate',
  'src/worker',
  'binding',
];
const firstWithV8 = layers.indexOf('src/isolate');

const layerOf = (path) =>
  layers.findIndex((layer) => path.startsWith(`${layer}/`));

/** `base/clock.h` is written relative to src/, `binding/x.h` to the root. */
const includedLayer = (name) => Math.max(layerOf(name), layerOf(`src/${name}`));

const napi = /^(napi|node_api|node_api_types|js_native_api)\b.*\.h$/;
const engine = /^(v8|uv|libplatform|cppgc)\b.*/;

function includeProblem(file, name) {
  const own = layerOf(file);
  if (includedLayer(name) > own) return `includes the higher layer ${name}`;
  if (napi.test(name) && !file.startsWith('binding/')) {
    return `includes ${name}, which only binding/ may`;
  }
  if (/^node(_buffer|_object_wrap|_version)?\.h$/.test(name)) {
    const bridge = file.startsWith('src/isolate/platform_bridge.');
    if (!bridge && !file.startsWith('binding/')) {
      return `includes ${name}, which only platform_bridge and binding/ may`;
    }
  }
  if (engine.test(name) && own < firstWithV8) {
    return `includes ${name} below src/isolate`;
  }
  return undefined;
}

function* problemsOf(file) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const native = layerOf(file) >= 0;
  for (const [index, line] of lines.entries()) {
    const at = `${file}:${index + 1}`;
    const name = /^\s*#\s*include\s*[<"]([^>"]+)[>"]/.exec(line)?.[1];
    const problem = native && name ? includeProblem(file, name) : undefined;
    if (problem) yield `${at} ${problem}`;
    // JSDoc names codes in its @throws lines.
    const isComment = /^\s*(\/\/|\/?\*)/.test(line);
    if (!isComment && /SLOPPY_E_[A-Z]/.test(line)) {
      yield `${at} writes out a diagnostic code; use the generated names`;
    }
  }
}

const files = listFiles(
  ['src', 'binding', 'lib'],
  /\.(h|cc|c|cpp|js|mjs|cjs)$/,
).filter((path) => !/(\.gen\.|_gen\.)/.test(path));
const problems = files.flatMap((file) => [...problemsOf(file)]);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`layers: ${files.length} files`);
