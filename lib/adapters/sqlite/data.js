'use strict';

const { find } = require('./jobs.js');
const { Code, refuse } = require('./refusals.js');

// The rows beside the jobs' states: data, progress, logs, the queue's
// settings and limits, clients.

const jobOf = (tx, { queue, id }) =>
  find(tx, tx.queue(queue), id) ?? refuse(Code.Missing);

function updateData(tx, { data, ...place }) {
  const { jid } = jobOf(tx, place);
  tx.run('UPDATE body SET data = ? WHERE jid = ?', data, jid);
}

function updateProgress(tx, { progress, ...place }) {
  const { jid, qid, id } = jobOf(tx, place);
  tx.run('UPDATE body SET progress = ? WHERE jid = ?', progress, jid);
  tx.emit(qid, 'progress', 'jobId', id, 'data', progress);
}

/** @returns {number} lines that are kept */
function addLog(tx, { line, keep, ...place }) {
  const { jid } = jobOf(tx, place);
  const row = tx.get('SELECT MAX(n) AS last FROM log WHERE jid = ?', jid);
  const n = (row.last ?? 0) + 1;
  tx.run('INSERT INTO log VALUES (?, ?, ?)', jid, n, line);
  if (keep) tx.run('DELETE FROM log WHERE jid = ? AND n <= ?', jid, n - keep);
  return tx.get('SELECT COUNT(*) AS n FROM log WHERE jid = ?', jid).n;
}

function clearLogs(tx, { queue, id, keep }) {
  const job = find(tx, tx.queue(queue), id);
  if (job === undefined) return;
  const { jid } = job;
  const { last } = tx.get('SELECT MAX(n) AS last FROM log WHERE jid = ?', jid);
  tx.run(
    'DELETE FROM log WHERE jid = ? AND n <= ?',
    ...[jid, (last ?? 0) - (keep || 0)],
  );
}

/** @returns {number} fields that are new, as Redis counts them */
function setQueueMeta(tx, { queue, values }) {
  const qid = tx.queue(queue);
  const known = tx.meta(qid);
  let added = 0;
  for (const [field, value] of Object.entries(values)) {
    if (known[field] === undefined) added += 1;
    tx.run(
      `INSERT INTO meta VALUES (?, ?, ?) ON CONFLICT DO UPDATE
        SET value = excluded.value`,
      ...[qid, field, String(value)],
    );
  }
  tx.metaChanged(qid);
  return added;
}

function removeQueueMetaFields(tx, { queue, fields }) {
  const qid = tx.queue(queue);
  let removed = 0;
  for (const field of fields) {
    removed += tx.run(
      'DELETE FROM meta WHERE qid = ? AND field = ?',
      ...[qid, field],
    );
  }
  tx.metaChanged(qid);
  return removed;
}

/** @returns {Record<string, string>} */
function getQueueMeta(tx, { queue }) {
  const qid = tx.queueIfThere(queue);
  return qid === undefined ? {} : { ...tx.meta(qid) };
}

/** No job starts before `until`, whatever a limiter allows. */
function setRateLimit(tx, { queue, until }) {
  tx.run(
    'UPDATE queue SET lim_count = ?, lim_until = ? WHERE qid = ?',
    ...[Number.MAX_SAFE_INTEGER - 1, until, tx.queue(queue)],
  );
}

/** @returns {number} 1: there was a limit */
function removeRateLimit(tx, { queue, now }) {
  const qid = tx.queue(queue);
  const isOpen = tx.get(
    'SELECT 1 FROM queue WHERE qid = ? AND lim_until > ?',
    ...[qid, now],
  );
  tx.run('UPDATE queue SET lim_count = 0, lim_until = NULL WHERE qid = ?', qid);
  return isOpen === undefined ? 0 : 1;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** @returns {number} the client's number; those of dead processes go */
function addClient(tx, { name, pid }) {
  for (const client of tx.all('SELECT cid, pid FROM client')) {
    if (isAlive(client.pid)) continue;
    tx.run('DELETE FROM client WHERE cid = ?', client.cid);
  }
  return tx.insert('INSERT INTO client (name, pid) VALUES (?, ?)', name, pid);
}

const removeClient = (tx, { cid }) =>
  tx.run('DELETE FROM client WHERE cid = ?', cid);

/** @returns {string} a line each, as of Redis' CLIENT LIST */
const getClientList = (tx) =>
  tx
    .all('SELECT cid, name, pid FROM client ORDER BY cid')
    .filter(({ pid }) => isAlive(pid))
    .map(({ cid, name, pid }) => `id=${cid} addr=local:${pid} name=${name}`)
    .join('\n');

module.exports = {
  addClient,
  addLog,
  clearLogs,
  getClientList,
  getQueueMeta,
  removeClient,
  removeQueueMetaFields,
  removeRateLimit,
  setQueueMeta,
  setRateLimit,
  updateData,
  updateProgress,
};
