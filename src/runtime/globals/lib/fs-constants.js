'use strict';

/* global host */

// POSIX says what these are called, and all systems agree on these numbers.
const COMMON = {
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
  X_OK: 1,
  COPYFILE_EXCL: 1,
  COPYFILE_FICLONE: 2,
  COPYFILE_FICLONE_FORCE: 4,
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  S_IFMT: 0o170000,
  S_IFREG: 0o100000,
  S_IFDIR: 0o040000,
  S_IFCHR: 0o020000,
  S_IFLNK: 0o120000,
  S_IRUSR: 0o400,
  S_IWUSR: 0o200,
};

const POSIX = {
  S_IFBLK: 0o060000,
  S_IFIFO: 0o010000,
  S_IFSOCK: 0o140000,
  S_IRWXU: 0o700,
  S_IXUSR: 0o100,
  S_IRWXG: 0o070,
  S_IRGRP: 0o040,
  S_IWGRP: 0o020,
  S_IXGRP: 0o010,
  S_IRWXO: 0o007,
  S_IROTH: 0o004,
  S_IWOTH: 0o002,
  S_IXOTH: 0o001,
};

const OWN = {
  linux: {
    ...POSIX,
    O_CREAT: 0o100,
    O_EXCL: 0o200,
    O_NOCTTY: 0o400,
    O_TRUNC: 0o1000,
    O_APPEND: 0o2000,
    O_NONBLOCK: 0o4000,
    O_SYNC: 0o4010000,
  },
  darwin: {
    ...POSIX,
    O_CREAT: 0x200,
    O_EXCL: 0x800,
    O_NOCTTY: 0x20000,
    O_TRUNC: 0x400,
    O_APPEND: 8,
    O_NONBLOCK: 4,
    O_SYNC: 0x80,
  },
  win32: { O_CREAT: 0x100, O_EXCL: 0x400, O_TRUNC: 0x200, O_APPEND: 8 },
};

module.exports = { ...COMMON, ...(OWN[host.process.platform] ?? OWN.linux) };
