'use strict';

const { judge } = require('./judge.js');
const { summary } = require('./stats.js');
const { SubjectProcess } = require('./subject-process.js');

/**
 * Asks one question of all its subjects, round by round in turn.
 *
 * @param {{ name: string, file: string, question: object }} entry
 * @param {{ rounds: number, quick: boolean, execPath: string, env: object }}
 *   how
 * @returns {Promise<object>} the answer as it goes into the JSON
 */
async function measure({ name, file, question }, how) {
  const names = Object.keys(question.subjects);
  const samples = Object.fromEntries(names.map((peer) => [peer, []]));
  const failed = {};
  const take = question.fresh ? freshRounds : warmRounds;
  const rounds = Math.min(how.rounds, question.maxRounds ?? Infinity);
  await take(file, names, { ...how, rounds }, samples, failed);
  const lines = Object.entries(question.lines).map(([key, line]) =>
    summarise(key, line, samples),
  );
  for (const line of lines) {
    line.goals = judge(line, lines, question.lines[line.key].goals ?? []);
  }
  const missing = question.unavailable ?? {};
  return { name, title: question.title, lines, failed, missing };
}

/** Each subject stays alive and warm; they take turns. */
async function warmRounds(file, names, how, samples, failed) {
  const subjects = new Map();
  for (const peer of names) {
    try {
      subjects.set(peer, await SubjectProcess.start(file, peer, how));
    } catch (error) {
      failed[peer] = error.message;
    }
  }
  for (let round = 0; round < how.rounds; round += 1) {
    for (const [peer, subject] of subjects) {
      try {
        samples[peer].push(await subject.round());
      } catch (error) {
        failed[peer] = error.message;
        subjects.delete(peer);
      }
    }
  }
  await Promise.all([...subjects.values()].map((subject) => subject.close()));
}

/** A new process for every round: for memory, and for first times. */
async function freshRounds(file, names, how, samples, failed) {
  for (let round = 0; round < how.rounds; round += 1) {
    for (const peer of names) {
      if (failed[peer] !== undefined) continue;
      try {
        const subject = await SubjectProcess.start(file, peer, how);
        samples[peer].push(await subject.round());
        await subject.close();
      } catch (error) {
        failed[peer] = error.message;
      }
    }
  }
}

function summarise(key, { title, unit, better }, samples) {
  const peers = {};
  for (const [peer, rounds] of Object.entries(samples)) {
    const values = rounds.map((lines) => lines[key]).filter(Number.isFinite);
    if (values.length > 0) peers[peer] = { ...summary(values), values };
  }
  return { key, title, unit, better, peers };
}

module.exports = { measure };
