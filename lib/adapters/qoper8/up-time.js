'use strict';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * @param {number} startedAt ms since the epoch
 * @returns {string} `<d> days <h>:<mm>:<ss>`
 */
function upTime(startedAt) {
  const seconds = Math.floor((Date.now() - startedAt) / 1000);
  const days = Math.floor(seconds / DAY);
  const hours = Math.floor((seconds % DAY) / HOUR);
  const minutes = twoDigits(Math.floor((seconds % HOUR) / MINUTE));
  return `${days} days ${hours}:${minutes}:${twoDigits(seconds % MINUTE)}`;
}

function twoDigits(number) {
  return String(number).padStart(2, '0');
}

/**
 * @param {{ rss: number, heapTotal: number, heapUsed: number }} usage bytes
 * @returns {{ rss: string, heapTotal: string, heapUsed: string }} MiB
 */
function memoryFigures({ rss, heapTotal, heapUsed }) {
  const mib = (bytes) => (bytes / 1024 / 1024).toFixed(2);
  return {
    rss: mib(rss),
    heapTotal: mib(heapTotal),
    heapUsed: mib(heapUsed),
  };
}

module.exports = { memoryFigures, upTime };
