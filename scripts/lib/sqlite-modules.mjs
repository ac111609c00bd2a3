import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { capture } from './run.mjs';

const [major] = process.versions.node.split('.').map(Number);
/**
 * Version 12 is the last for Node 20; with Node 24.19 and later the process
 * aborts when a statement of it is collected (nodejs/node#65446).
 */
export const SQLITE_PACKAGE =
  major < 22 ? 'better-sqlite3@12.11.1' : 'better-sqlite3@13.2.0';
const [name, version] = SQLITE_PACKAGE.split('@');

function works(modules) {
  try {
    createRequire(join(modules, 'x.js'))(name)(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

function isThere(modules) {
  const manifest = join(modules, name, 'package.json');
  if (!existsSync(manifest)) return false;
  return JSON.parse(readFileSync(manifest, 'utf8')).version === version;
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
  if (isThere(modules) && works(modules)) return modules;
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
