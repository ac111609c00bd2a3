'use strict';

// The peers whose payloads are structured clones.
const PEERS = ['sloppy-workers', 'worker_threads', 'piscina', 'tinypool'];
const CLONES = { peers: PEERS, pool: { payload: 'clone' } };

/**
 * Rows as drivers of databases give them.
 *
 * @param {number} count about 130 bytes of clone each
 */
function databaseRows(count) {
  return Array.from({ length: count }, (_, n) => ({
    id: BigInt(n) * 1_000_003n,
    name: `Customer number ${n}`,
    createdAt: new Date(1.7e12 + n),
    updatedAt: n % 3 === 0 ? null : new Date(1.7e12 + 2 * n),
    total: n * 1.25 + 0.1,
    tags: undefined,
  }));
}

module.exports = { CLONES, databaseRows };
