// Formats the C++ in place: node scripts/format-native.mjs [file...]

import {
  clangFormatMajor,
  findClangFormat,
  nativeFiles,
} from './lib/clang-format.mjs';
import { main, Problem } from './lib/fail.mjs';
import { root } from './lib/paths.mjs';
import { passThrough } from './lib/run.mjs';

await main(async () => {
  const command = findClangFormat();
  if (!command)
    throw new Problem(`clang-format ${clangFormatMajor} is missing`);
  const named = process.argv.slice(2);
  const files = named.length > 0 ? named : nativeFiles();
  process.exitCode = await passThrough(command, ['-i', ...files], {
    cwd: root,
  });
});
