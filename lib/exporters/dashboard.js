'use strict';

const { createPage } = require('./dashboard/page.js');
const { Sampler } = require('./dashboard/sampler.js');
const { refuseMistaken } = require('../options/mistaken-options.js');
const { timerMs } = require('../base/timer-ms.js');
const { isPlainObject, positiveInteger } = require('../base/validate.js');

const KNOWN = ['pools', 'path', 'title', 'interval'];
const DEFAULT_INTERVAL_MS = 1000;
const MAX_SAMPLES = 300;
const MAX_CLIENTS = 64;
// A viewer that is this far behind is disconnected, because it would keep its
// place for ever.
const MAX_BEHIND_BYTES = 1024 * 1024;

const isMeasured = (pool) => typeof pool?.metrics === 'function';

function readPools(pools) {
  if (typeof pools === 'function') return pools;
  const list = Array.isArray(pools) ? [...pools] : [pools];
  if (list.length === 0 || !list.every(isMeasured)) {
    throw new TypeError(
      'createDashboard pools must be pools, workers or queues, or a function ' +
        'that returns them.',
    );
  }
  return () => list;
}

function readPath(path) {
  if (path === undefined) return undefined;
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw new TypeError('createDashboard path must begin with a slash.');
  }
  return path === '/' ? path : path.replace(/\/$/, '');
}

function readOptions(options) {
  if (!isPlainObject(options)) {
    throw new TypeError('createDashboard options must be a plain object.');
  }
  refuseMistaken('createDashboard', options, KNOWN);
  const { title = 'sloppy-workers' } = options;
  if (typeof title !== 'string') {
    throw new TypeError('createDashboard title must be a string.');
  }
  return {
    title,
    pools: readPools(options.pools),
    path: readPath(options.path),
    intervalMs: positiveInteger(
      'createDashboard interval',
      options.interval,
      DEFAULT_INTERVAL_MS,
    ),
  };
}

/**
 * Whether a response is over: its connection is closed, for which there is no
 * event any more, or other code has ended it. HTTP/2 has the state on the
 * stream.
 */
const isGone = (res) =>
  res.destroyed === true ||
  res.writableEnded === true ||
  res.stream?.destroyed === true;

/** Takes samples while there are viewers, and sends them to all. */
class Feed {
  #sampler;
  #intervalMs;
  #history = [];
  #clients = new Set();
  #timer = null;

  constructor(pools, intervalMs) {
    this.#sampler = new Sampler(pools);
    this.#intervalMs = intervalMs;
    this.#sampler.begin();
  }

  get isFull() {
    // Checked here too, because responses of some frameworks emit no event at
    // the end.
    for (const res of this.#clients) if (isGone(res)) this.#remove(res);
    return this.#clients.size >= MAX_CLIENTS;
  }

  add(res) {
    const leave = () => this.#remove(res);
    res.on('close', leave);
    // Writing to a response that other code has ended emits an error, which
    // means the same.
    res.on('error', leave);
    if (this.#timer === null) {
      this.#history = [];
      const ms = timerMs(this.#intervalMs);
      this.#timer = setInterval(() => this.#tick(), ms).unref();
      this.#take();
    }
    this.#clients.add(res);
    this.#send(res, `retry: 2000\n\n${message('history', this.#history)}`);
  }

  close() {
    for (const res of [...this.#clients]) {
      this.#remove(res);
      res.end();
    }
  }

  #remove(res) {
    this.#clients.delete(res);
    if (this.#clients.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #take() {
    const sample = this.#sampler.take();
    this.#history.push(sample);
    if (this.#history.length > MAX_SAMPLES) this.#history.shift();
    return sample;
  }

  #tick() {
    const text = message('sample', this.#take());
    for (const res of [...this.#clients]) this.#send(res, text);
  }

  #send(res, text) {
    if (isGone(res)) {
      this.#remove(res);
    } else if (res.writableLength >= MAX_BEHIND_BYTES) {
      this.#remove(res);
      res.destroy();
    } else {
      res.write(text);
    }
  }
}

const message = (event, data) =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** A request may name the whole address (RFC 9112, 3.2.2). */
const ownPart = (url = '/') => url.replace(/^https?:\/\/[^/?]*/i, '');

const plain = { 'content-type': 'text/plain', 'cache-control': 'no-store' };

/**
 * A page that draws what pools do, as a handler for any HTTP server. It binds
 * to no port by itself and shows no payloads; access control is the server's
 * task.
 *
 * @param {object} options
 * @param {object | object[] | (() => Iterable<object>)} options.pools pools,
 *   workers and queues
 * @param {number} [options.interval] milliseconds from one sample to the next,
 *   default 1000
 * @param {string} [options.path] answer only requests for it; default: all
 * @param {string} [options.title] default `sloppy-workers`
 * @returns {((req: object, res: object, next?: Function) => boolean) & {
 *   close(): void }} whether the request was answered; `close` ends the
 *   viewers' streams
 * @throws {TypeError}
 * @throws any error of a `pools` function now; later that is a warning
 */
function createDashboard(options) {
  const { title, pools, path, intervalMs } = readOptions(options);
  const { html, headers } = createPage(title);
  const feed = new Feed(pools, intervalMs);

  function answer(req, res, query) {
    if (isGone(res) || res.headersSent) return;
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { ...plain, allow: 'GET, HEAD' }).end();
    } else if (query === 'events' && req.method === 'GET') {
      if (feed.isFull) {
        res.writeHead(503, plain).end('too many viewers\n');
        return;
      }
      res.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-accel-buffering': 'no',
      });
      feed.add(res);
    } else {
      res.writeHead(200, headers);
      res.end(req.method === 'HEAD' ? undefined : html);
    }
  }

  function dashboard(req, res, next) {
    const [pathname, query = ''] = ownPart(req.url).split('?', 2);
    const here =
      path === undefined || pathname.replace(/(?<=.)\/$/, '') === path;
    if (here) answer(req, res, query);
    else if (typeof next === 'function') next();
    return here;
  }

  dashboard.close = () => feed.close();
  return dashboard;
}

module.exports = { createDashboard };
