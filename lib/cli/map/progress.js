'use strict';

const { performance } = require('node:perf_hooks');

const { styled } = require('../terminal.js');

const BAR = 24;
const REDRAW_MS = 100;
const MB = 1e6;

function duration(seconds) {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function perSecond(count, seconds) {
  const rate = count / Math.max(seconds, 0.001);
  if (rate >= 10_000) return `${Math.round(rate / 1000)} k/s`;
  return `${rate >= 10 ? Math.round(rate) : rate.toFixed(1)}/s`;
}

/**
 * One line on a terminal's stderr, redrawn in place.
 *
 * @param {() => { records, before, failed, bytes, total, skipped }} look
 *   `before` records and `skipped` bytes were done by an earlier run; `total`
 *   is undefined for a pipe
 * @returns {{ end(): void }}
 */
function startProgress(look) {
  const { stderr } = process;
  const started = performance.now();
  const draw = () => {
    const { records, before, failed, bytes, total, skipped } = look();
    const seconds = (performance.now() - started) / 1000;
    const parts = [];
    if (total !== undefined) {
      const share = total === 0 ? 1 : Math.min(1, (skipped + bytes) / total);
      const filled = Math.round(share * BAR);
      const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
      parts.push(`${bar} ${Math.floor(share * 100)} %`);
    }
    parts.push(`${records} records`, perSecond(records - before, seconds));
    parts.push(`${(bytes / MB / Math.max(seconds, 0.001)).toFixed(1)} MB/s`);
    if (total !== undefined && bytes > 0) {
      const left = Math.max(0, total - skipped - bytes);
      parts.push(`${duration((left / bytes) * seconds)} left`);
    }
    if (failed > 0) parts.push(styled(stderr, 'red', `${failed} failed`));
    stderr.write(`\r\x1b[2K${parts.join('  ')}`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  return {
    end() {
      clearInterval(timer);
      stderr.write('\r\x1b[2K');
    },
  };
}

module.exports = { perSecond, startProgress };
