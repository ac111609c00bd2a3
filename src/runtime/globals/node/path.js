'use strict';

/* global host */
const path = require('path-unified');

const { posix, win32 } = path;
const chosen = host.process.platform === 'win32' ? win32 : posix;

module.exports = { ...chosen, posix, win32 };
posix.posix = posix;
posix.win32 = win32;
win32.posix = posix;
win32.win32 = win32;
