'use strict';

const { cwd } = process;

/** @returns {string} that of this process, or the root where it is gone */
function workingFolder() {
  try {
    return cwd();
  } catch {
    return '/';
  }
}

module.exports = { workingFolder };
