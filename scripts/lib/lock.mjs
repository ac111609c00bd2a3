import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

function ownerOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs `body` while this process alone holds the lock file, so that two builds
 * of one folder wait for each other. A lock whose owner is gone is taken over.
 */
export async function withLock(path, body) {
  mkdirSync(dirname(path), { recursive: true });
  for (let told = false; ; told = true) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = ownerOf(path);
    if (owner && !isRunning(owner)) rmSync(path, { force: true });
    else if (!told)
      console.log(`waiting for process ${owner} to end its build`);
    await sleep(200);
  }
  try {
    return await body();
  } finally {
    rmSync(path, { force: true });
  }
}
