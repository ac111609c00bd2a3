'use strict';

/**
 * Names an executable that is not node: starting it again would start the
 * application again.
 *
 * @returns {string | undefined} undefined: this process runs node
 */
function otherThanNode() {
  if (process.versions.electron !== undefined) return 'Electron';
  if (process.versions.bun !== undefined) return 'Bun';
  if (process.versions.deno !== undefined) return 'Deno';
  if (process.pkg !== undefined) return 'an executable made by pkg';
  const { isSea } = process.getBuiltinModule?.('node:sea') ?? {};
  return isSea?.() === true ? 'a single executable application' : undefined;
}

module.exports = { otherThanNode };
