// Jest finds modules by an addon, of which npm installed the one for this
// machine alone. Under emulation each of Jest's processes would fetch the other.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { must, npmPack } from './npm-pack.mjs';
import { root } from './paths.mjs';

const require = createRequire(import.meta.url);

/**
 * The addon for another platform, fetched once, in the version that package-lock
 * has.
 *
 * @param {string} id as napi-rs names platforms, such as `linux-arm64-gnu`
 * @returns {string} its path
 */
export function fetchJestResolver(id) {
  const { version } = require('unrs-resolver/package.json');
  const toolchains = join(root, 'build/toolchains');
  const home = join(toolchains, `jest-resolver-${id}-${version}`);
  const file = join(home, `resolver.${id}.node`);
  if (existsSync(file)) return file;
  const name = `@unrs/resolver-binding-${id}@${version}`;
  console.log(`fetching ${name} from npm`);
  mkdirSync(toolchains, { recursive: true });
  const aside = mkdtempSync(join(toolchains, 'new-'));
  try {
    must('tar', ['-xzf', npmPack(name, aside)], aside);
    rmSync(home, { recursive: true, force: true });
    renameSync(join(aside, 'package'), home);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return file;
}
