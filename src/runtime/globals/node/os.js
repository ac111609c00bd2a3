'use strict';

/* global host */
const { unsupported } = require('../lib/unsupported.js');

const { platform, arch } = host.process;
const TYPES = { darwin: 'Darwin', linux: 'Linux', win32: 'Windows_NT' };
const windows = platform === 'win32';
const root = windows ? 'C:\\' : '/';

// Facts about the kind of machine are true. Facts about this machine or its
// user are neutral values, because packages read them while loading and never
// use them.
module.exports = {
  EOL: windows ? '\r\n' : '\n',
  arch: () => arch,
  availableParallelism: () => host.hardwareConcurrency,
  constants: require('sw:constants').os,
  cpus: () =>
    Array.from({ length: host.hardwareConcurrency }, () => ({
      model: 'unknown',
      speed: 0,
      times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 },
    })),
  devNull: windows ? '\\\\.\\nul' : '/dev/null',
  endianness: () => (new Uint8Array(Uint16Array.of(1).buffer)[0] ? 'LE' : 'BE'),
  freemem: () => 0,
  getPriority: () => 0,
  homedir: () => root,
  hostname: () => 'localhost',
  loadavg: () => [0, 0, 0],
  machine: () => (arch === 'x64' ? 'x86_64' : arch),
  networkInterfaces: () => ({}),
  platform: () => platform,
  release: () => '',
  setPriority: unsupported('os', 'setPriority'),
  tmpdir: () => (windows ? 'C:\\Windows\\Temp' : '/tmp'),
  totalmem: () => 0,
  type: () => TYPES[platform] ?? platform,
  uptime: () => host.nowMs() / 1000,
  userInfo: () => ({
    __proto__: null,
    uid: -1,
    gid: -1,
    username: '',
    homedir: root,
    shell: null,
  }),
  version: () => '',
};
const { defineProperty } = Object;
for (const name of ['EOL', 'devNull']) {
  defineProperty(module.exports, name, { writable: false });
}
defineProperty(module.exports, 'constants', {
  writable: false,
  configurable: false,
});
