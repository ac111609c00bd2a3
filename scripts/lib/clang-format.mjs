import { listFiles } from './files.mjs';
import { which } from './paths.mjs';
import { capture } from './run.mjs';

/** Other versions of clang-format lay out some lines in another way. */
export const clangFormatMajor = 14;

export function findClangFormat() {
  const version = `version ${clangFormatMajor}.`;
  return [`clang-format-${clangFormatMajor}`, 'clang-format']
    .map(which)
    .filter(Boolean)
    .find((path) => capture(path, ['--version']).stdout.includes(version));
}

export const nativeFiles = () =>
  listFiles(['src', 'binding', 'test', 'bench/floor'], /\.(h|cc)$/).filter(
    (path) => !path.endsWith('_gen.h'),
  );
