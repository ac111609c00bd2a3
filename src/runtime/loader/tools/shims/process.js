'use strict';

module.exports = {
  cwd: () => '/',
  nextTick: (callback) => void Promise.resolve().then(callback),
  versions: {},
};
