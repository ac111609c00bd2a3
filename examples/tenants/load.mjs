// The clients: those of one tenant ask again and again, all at once; nine other
// tenants ask now and then.

import { setTimeout as sleep } from 'node:timers/promises';

const FLOOD_CLIENTS = 60;
const SMALL_TENANTS = 9;
const SMALL_REQUESTS = 10;
const EVERY_MS = 50;

/** @returns {Promise<object[]>} `{ tenant, status, retryAfter, summary }` */
export async function load(url) {
  const answers = [];
  const ask = async (tenant) => {
    const response = await fetch(url, { headers: { 'x-tenant': tenant } });
    const { status, headers } = response;
    const text = await response.text();
    const summary = status === 200 ? JSON.parse(text) : undefined;
    const retryAfter = headers.get('retry-after');
    answers.push({ tenant, status, retryAfter, summary });
    return status;
  };

  let isOver = false;
  const flood = async () => {
    while (!isOver) {
      // It should wait for as long as the answer says, but it is in a hurry.
      if ((await ask('large')) === 429) await sleep(EVERY_MS);
    }
  };
  const small = async (n) => {
    await sleep((EVERY_MS * n) / SMALL_TENANTS);
    for (let i = 0; i < SMALL_REQUESTS; i += 1) {
      await ask(`small ${n}`);
      await sleep(EVERY_MS);
    }
  };
  const floods = Array.from({ length: FLOOD_CLIENTS }, flood);
  const others = Array.from({ length: SMALL_TENANTS }, (_, n) => small(n));
  try {
    await Promise.all(others);
  } finally {
    isOver = true;
  }
  await Promise.all(floods);
  return answers;
}
