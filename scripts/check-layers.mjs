// Fails when a source file of ours reaches upward or around a boundary. The
// floors, C++ and JavaScript, are those of src/README.md:
// - an include of a higher layer; napi.h outside binding/; node.h outside
//   platform_bridge and binding/; V8 or uv below src/isolate,
// - in lib/, what a file requires stands in its own folder or on a lower floor;
//   an inner folder is seen only through its doors,
// - src/runtime requires nothing of lib/ but lib/protocol, because the rest
//   assumes Node,
// - one file loads a .node,
// - a diagnostic code is written out outside the generated files,
// - a comment or src/README.md names a file that is not there,
// - a header does not say what holds one of its invariants.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './lib/files.mjs';
import { importProblems } from './lib/js-floors.mjs';
import {
  invariantProblems,
  mapProblems,
  pathProblems,
} from './lib/named-paths.mjs';
import { includeProblem, isNative } from './lib/native-layers.mjs';
import { root } from './lib/paths.mjs';

// The second one only names what the first one loads.
const LOADERS = ['lib/addon/load.js', 'lib/addon/traced-files.js'];
const LOADS_ADDON = /\bdlopen\(|require\([^)]*\.node['"`]/;

function* problemsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const [index, line] of text.split('\n').entries()) {
    const at = `${file}:${index + 1}`;
    const name = /^\s*#\s*include\s*[<"]([^>"]+)[>"]/.exec(line)?.[1];
    const problem = isNative(file) && name && includeProblem(file, name);
    if (problem) yield `${at} ${problem}`;
    // JSDoc names codes in its @throws lines.
    const isComment = /^\s*(\/\/|\/?\*)/.test(line);
    if (!isComment && /SLOPPY_E_[A-Z]/.test(line)) {
      yield `${at} writes out a diagnostic code; use the generated names`;
    }
    if (file.startsWith('lib/') && !LOADERS.includes(file) && !isComment) {
      if (LOADS_ADDON.test(line)) yield `${at} loads an addon`;
    }
  }
  yield* importProblems(file, text);
  yield* pathProblems(file, text);
  if (file.endsWith('.h')) yield* invariantProblems(file, text);
}

const files = listFiles(
  ['src', 'binding', 'lib'],
  /\.(h|cc|c|cpp|js|mjs|cjs)$/,
).filter((path) => !/(\.gen\.|_gen\.)/.test(path));
const problems = [
  ...files.flatMap((file) => [...problemsOf(file)]),
  ...mapProblems(),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`layers: ${files.length} files`);
