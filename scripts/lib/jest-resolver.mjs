// Jest finds modules by an addon, of which npm installed the one for this
// machine alone. Under emulation each of Jest's processes would fetch the other.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fetchPackage } from './npm-package.mjs';
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
  const folder = `build/toolchains/jest-resolver-${id}-${version}`;
  return fetchPackage(
    `@unrs/resolver-binding-${id}@${version}`,
    join(root, folder),
    { file: `resolver.${id}.node` },
  );
}
