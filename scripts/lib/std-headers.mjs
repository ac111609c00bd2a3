// GCC's C++ headers as they are configured for an older glibc, or for musl:
// the few that say which C library they are for, derived from the installed
// ones, in a folder that is searched before them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './fail.mjs';

/** glibc has them from 2.30 on, musl has none. */
const newer =
  /^#define _GLIBCXX_USE_PTHREAD_(?:COND_CLOCKWAIT|MUTEX_CLOCKLOCK|RWLOCK_CLOCKLOCK) 1$/gm;

// The order is that of the bits that GCC gives them where it knows no C library.
const MASKS = [
  'upper',
  'lower',
  'alpha',
  'digit',
  'xdigit',
  'space',
  'print',
  'cntrl',
  'punct',
  'blank',
];

/** Each changes one header, and must find what it changes. */
const forMusl = {
  'os_defines.h': (text) =>
    text.replace(/^#if __GLIBC_PREREQ[\s\S]*(?=^#endif)/m, ''),
  'ctype_base.h': (text) =>
    text.replace(/\b_IS(\w+)/g, (_, name) => `(1 << ${MASKS.indexOf(name)})`),
  'c++locale.h': (text) =>
    text.replace('__locale_t\t\t__c_locale', 'int*\t\t__c_locale'),
};

/**
 * @param {string} folder where the headers go
 * @param {string} installed the folder whose `bits` are for this processor
 * @param {'gnu' | 'musl'} libc
 * @returns {string} `folder`
 */
export function overlay(folder, installed, libc) {
  const changes = {
    'c++config.h': (text) => text.replace(newer, ''),
    ...(libc === 'musl' && forMusl),
  };
  mkdirSync(join(folder, 'bits'), { recursive: true });
  for (const [name, change] of Object.entries(changes)) {
    const path = join(installed, 'bits', name);
    const text = readFileSync(path, 'utf8');
    const changed = change(text);
    if (changed === text) throw new Problem(`${path} is not as GCC 12 has it`);
    writeFileSync(join(folder, 'bits', name), changed);
  }
  return folder;
}
