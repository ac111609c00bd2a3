'use strict';

const { deduplicate } = require('./dedup.js');
const { adoptProcessed, releaseIfDone } = require('./flows.js');
const { find, findIn, insertJob, keyOf, link, nextId } = require('./jobs.js');
const { Code, refuse } = require('./refusals.js');
const { State } = require('./states.js');

/**
 * Adds a job, or finds the one that is there instead.
 *
 * @param {Transaction} tx
 * @param {{ queue: string, job: JobJson, jobId?: string, now: number,
 *   toChildren?: boolean, ofFlow?: boolean }} entry `ofFlow`: the parent is
 *   released later, because other children follow
 * @returns {string | number} the id, or a number of a Refusal
 */
function add(tx, entry) {
  const { queue, job, jobId, toChildren = false } = entry;
  const qid = tx.queue(queue);
  const parent = job.parentKey ? job.parent : undefined;
  if (parent && findIn(tx, parent.queueKey, parent.id) === undefined) {
    return Code.ParentMissing;
  }
  const counted = nextId(tx, qid);
  const id = jobId || counted;
  const existing = jobId ? find(tx, qid, id) : undefined;
  if (existing !== undefined) {
    return duplicated(tx, existing, { ...entry, parent });
  }
  const made = {
    id,
    name: job.name,
    data: job.data,
    opts: job.opts ?? {},
    ts: job.timestamp,
    parent,
    rjk: job.repeatJobKey,
    children: toChildren,
  };
  const instead = deduplicate(tx, {
    ...{ qid, now: entry.now, job: made, isParent: toChildren },
  });
  if (instead !== undefined) return instead;
  insertJob(tx, qid, made);
  if (parent) link(tx, parent, queue, id);
  return id;
}

function duplicated(tx, job, { queue, parent, now, ofFlow }) {
  const oldKey = job.parent_id && keyOf(job.parent_q, job.parent_id);
  const isOther = oldKey && !(parent && oldKey === keyOfParent(parent));
  const isTaken =
    isOther && findIn(tx, job.parent_q, job.parent_id) !== undefined;
  if (isTaken && parent) return Code.ParentReplaced;
  if (parent) adopt(tx, job, { queue, parent, now, ofFlow });
  tx.emit(job.qid, 'duplicated', 'jobId', job.id);
  return job.id;
}

const keyOfParent = ({ queueKey, id }) => keyOf(queueKey, id);

/** A job that is there gets another parent. */
function adopt(tx, job, { queue, parent, now, ofFlow }) {
  if (job.state === State.Completed) {
    const body = tx.get('SELECT ret FROM body WHERE jid = ?', job.jid);
    const place = { queue: parent.queueKey, id: parent.id };
    const child = { queue, id: job.id };
    adoptProcessed(tx, place, child, body.ret ?? 'null');
    if (!ofFlow) releaseIfDone(tx, place, now);
  } else {
    link(tx, parent, queue, job.id);
  }
  tx.run(
    'UPDATE job SET parent_q = ?, parent_id = ? WHERE jid = ?',
    ...[parent.queueKey, parent.id, job.jid],
  );
  tx.run(
    'UPDATE body SET parent = ? WHERE jid = ?',
    ...[JSON.stringify(parent), job.jid],
  );
}

function addJob(tx, entry) {
  const result = add(tx, entry);
  return typeof result === 'number' ? refuse(result) : result;
}

function addJobs(tx, { entries, now }) {
  return entries.map((entry) => addJob(tx, { ...entry, now }));
}

/**
 * Adds the jobs of a tree, parents first. One that is refused does not keep the
 * others out.
 *
 * @returns {(string | number)[]} an id, or a number of a Refusal, for each
 */
function addFlow(tx, { entries, now }) {
  const parents = new Map();
  const refused = new Set();
  const results = entries.map((entry) => {
    const result = add(tx, { ...entry, now, ofFlow: true });
    const { parent, parentKey } = entry.job;
    if (parent && parentKey) {
      parents.set(parentKey, { queue: parent.queueKey, id: parent.id });
      if (result === Code.ParentReplaced) refused.add(parentKey);
    }
    return result;
  });
  for (const [key, parent] of parents) {
    if (!refused.has(key)) releaseIfDone(tx, parent, now);
  }
  return results;
}

module.exports = { addFlow, addJob, addJobs };
