'use strict';
// The dashboard in a real browser: the page opens under its own policy, its
// numbers change as jobs run, and it says when the connection is lost.
// DASHBOARD_SHOT=<file> keeps a screenshot.

const assert = require('node:assert');
const { existsSync } = require('node:fs');
const http = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');

const { WorkerPool, WorkQueue } = require('../../lib/index.js');
const { createDashboard } = require('../../lib/exporters/dashboard.js');

const BROWSERS = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const SHOT = process.env.DASHBOARD_SHOT;
const work = ({ input }) => {
  const until = performance.now() + input;
  while (performance.now() < until);
  if (input > 13.7) throw new Error('too much');
};

/** Work that comes in waves, until the returned function is called. */
function keepBusy(pool, queue) {
  let turn = 0;
  const timer = setInterval(() => {
    turn += 1;
    const jobs = 1.5 + 1.5 * Math.sin(turn / 40);
    for (let i = 0; i < jobs; i += 1) {
      const input = 2 + (12 * ((turn * 7 + i * 13) % 97)) / 97;
      pool.run(work, { input, timeoutMs: 2000 }).catch(() => {});
    }
    queue.enqueue(turn).catch(() => {});
  }, 15);
  return () => clearInterval(timer);
}

async function main() {
  const executablePath = BROWSERS.find((path) => path && existsSync(path));
  if (executablePath === undefined) {
    console.log('skipped: no Chromium here (set CHROMIUM to its path)');
    return;
  }
  const { default: puppeteer } = await import('puppeteer-core');
  const pool = WorkerPool.create('thumbnails', { workers: 2, maxQueued: 200 });
  const queue = WorkQueue.create('mails', { concurrency: 4 });
  queue.process(({ data }) => sleep(10 + (data % 30)));
  const dashboard = createDashboard({
    pools: [pool, queue],
    interval: 100,
    title: 'Workers of a shop',
  });
  const server = http.createServer((req, res) => dashboard(req, res));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await puppeteer.launch({
    executablePath,
    // This scenario's own limit is enough.
    timeout: 0,
    protocolTimeout: 0,
    args: ['--no-sandbox', '--disable-gpu'],
    // Libraries that a sanitizer run preloads into this process are left out.
    env: { ...process.env, LD_PRELOAD: undefined },
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    const problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => problems.push(message.text()));
    await page.setViewport({ width: 1180, height: 800 });
    const stop = keepBusy(pool, queue);
    await page.goto(`http://127.0.0.1:${server.address().port}/any/path`);

    await page.waitForFunction(
      () => document.getElementById('status').textContent === 'live',
    );
    const completed = () =>
      page.$eval('td:nth-child(2)', (cell) =>
        Number(cell.textContent.replaceAll(',', '')),
      );
    await page.waitForSelector('td:nth-child(2)');
    const before = await completed();
    await page.waitForFunction(
      (least) =>
        Number(
          document
            .querySelector('td:nth-child(2)')
            .textContent.replaceAll(',', ''),
        ) > least,
      {},
      before,
    );
    const headings = await page.$$eval('h2', (all) =>
      all.map((heading) => heading.textContent),
    );
    assert.deepStrictEqual(headings, ['thumbnailspool', 'mailsqueue']);
    const labels = await page.$$eval('svg', (all) =>
      all.map((svg) => svg.getAttribute('aria-label')),
    );
    assert.strictEqual(labels.length, 8);
    assert.match(labels[1], /^Throughput: [\d,.]+ jobs\/s$/);
    assert.match(labels[3], /^Workers: \d of 2 busy$/);
    await page.waitForFunction(
      () => document.querySelectorAll('.first-line')[1].getTotalLength() > 20,
    );
    if (SHOT) {
      await sleep(7000);
      await page.screenshot({ path: SHOT, optimizeForSpeed: false });
    }
    assert.deepStrictEqual(problems, []);

    stop();
    dashboard.close();
    server.closeAllConnections();
    server.close();
    await page.waitForFunction(
      () => document.getElementById('status').textContent === 'connection lost',
    );
  } finally {
    await browser.close();
    await pool.stop({ drain: false, timeoutMs: 0 });
    await queue.stop({ drain: false });
  }
}

main().then(() => console.log('pass'));
