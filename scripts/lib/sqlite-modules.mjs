import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { capture } from './run.mjs';

export const SQLITE_PACKAGE = 'better-sqlite3@12.11.1';
const [name] = SQLITE_PACKAGE.split('@');

function works(modules) {
  try {
    createRequire(join(modules, 'x.js'))(name)(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds better-sqlite3 once for this Node, against its own headers, because
 * its prebuilt binaries are not in npm's registry.
 *
 * @returns {string | undefined} a node_modules; undefined: it did not build
 */
export function sqliteModules() {
  const folder = join(root, 'build/engines', `abi${process.versions.modules}`);
  const modules = join(folder, 'node_modules');
  const binary = join(modules, name, 'build/Release/better_sqlite3.node');
  if (existsSync(binary) && works(modules)) return modules;
  console.log(`building ${SQLITE_PACKAGE} for Node ${process.version}`);
  mkdirSync(folder, { recursive: true });
  // npm runs the scripts of named packages only.
  const manifest = { private: true, allowScripts: { [name]: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const headers = `--nodedir=${join(process.execPath, '../..')}`;
  const args = ['install', '--no-audit', '--no-fund', headers, SQLITE_PACKAGE];
  capture('npm', args, { cwd: folder });
  return works(modules) ? modules : undefined;
}

/** @returns {string | undefined} '' where Node has SQLite itself */
export const modulesIfNeeded = () =>
  isBuiltin('node:sqlite') ? '' : sqliteModules();
