// Programs for Windows, run on this machine by Debian's wine64.

import { capture } from './run.mjs';

export const WINE = '/usr/lib/wine/wine64';
const SERVER = '/usr/lib/wine/wineserver64';

/** A home of its own for wine, which asks nobody and draws nothing. */
export const wineEnv = (home) => ({
  WINEPREFIX: home,
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
});

/** @returns {string} what a program under wine calls an absolute path here */
export const winePath = (path) => `Z:${path.replaceAll('/', '\\')}`;

/** Ends wine's services, which would keep this script's output open. */
export const stopWine = (env) =>
  capture(SERVER, ['-k'], { env: { ...process.env, ...env } });
