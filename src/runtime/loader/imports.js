'use strict';

const { moduleError } = require('./module-error.js');

// v8::Module::Status
const INSTANTIATED = 2;
const EVALUATING = 3;
const EVALUATED = 4;
const ERRORED = 5;

// ModuleLoader::Phase
const SOURCE = 0;
const DEFER = 1;

// What natives.loadStyle() gives, see isolate/v8_compat.h.
const DEPTH_FIRST = 0;
const WAITS_FOR_FILES = 2;
// Turns of the microtasks that stand for a file that Node 20 reads, more than
// what runs meanwhile takes; and for CommonJS, which it reads at once. No timer,
// because a job that waits for nothing else would count as one that cannot end.
const TURNS_OF_A_FILE = 100;
const TURNS_OF_COMMONJS = 5;
const COMMONJS = /\.cjs([?#]|$)/;

/**
 * import() and require() of modules. Both do what Node does, turn by turn of
 * the microtasks: the order in which files run depends on the turns in which
 * they are linked, because a program may import several at a time. Each async
 * function here stands for one in Node's loader.
 *
 * @param {object} natives isolate/modules/module_steps.cc
 * @param {object} promises captured before user code ran
 */
function createImports(natives, { RealmPromise, then }) {
  const style = natives.loadStyle();
  const done = new RealmPromise((resolve) => resolve());
  // By URL: { url, loaded, linked, instantiated, evaluated, failure }
  const jobs = new Map();
  let reading = done;

  function jobAt(url) {
    let job = jobs.get(url);
    if (job === undefined) {
      // Loaded by a static import or by require().
      const ready = natives.statusOfModule(url) >= INSTANTIATED;
      const required = natives.wasRequired(url);
      job = { url, loaded: done, required };
      if (ready && !required) job.instantiated = done;
      jobs.set(url, job);
    }
    return job;
  }

  function dependencies(url) {
    const list = natives.requestsOf(url);
    const found = [];
    for (let i = 0; i < list.length; i += 4) {
      if (list[i + 3] > DEFER) found.push(jobAt(list[i + 1]));
    }
    return found;
  }

  async function turns(count) {
    for (let i = 0; i < count; ++i) await undefined;
  }

  function load(url, isJson) {
    if (style === WAITS_FOR_FILES) return loadLater(url, isJson);
    natives.loadModule(url, isJson);
    return done;
  }

  // What is wrong with a file shows when it is read.
  async function loadLater(url, isJson) {
    let failure;
    try {
      natives.loadModule(url, isJson);
    } catch (error) {
      failure = { error };
    }
    if (COMMONJS.test(url)) {
      await turns(TURNS_OF_COMMONJS);
    } else {
      // Files come one after the other, each with all that it sets off.
      reading = then(reading, () => turns(TURNS_OF_A_FILE));
      await reading;
    }
    if (failure !== undefined) throw failure.error;
  }

  function newJob(url, isJson) {
    const known = natives.knowsModule(url);
    const job = { url, loaded: load(url, isJson), required: false };
    // Otherwise it was asked for as what it is not.
    if (!known) jobs.set(url, job);
    job.linked = link(job);
    // Whoever imports it hears of it.
    then(job.linked, undefined, () => {});
    return job;
  }

  async function link(job) {
    await job.loaded;
    const list = natives.requestsOf(job.url);
    const found = [];
    const waits = [];
    for (let i = 0; i < list.length; i += 4) {
      const next = jobLater(list[i], job.url, list[i + 2]);
      const loaded = then(next, (one) => {
        found[i / 4] = one;
        return one.loaded;
      });
      waits.push(loaded);
    }
    await allOf(waits);
    return found;
  }

  async function jobLater(specifier, importer, isJson) {
    const url = await natives.locateModule(specifier, importer);
    return natives.knowsModule(url) && natives.isJson(url) === isJson
      ? jobAt(url)
      : newJob(url, isJson);
  }

  function jobNow(specifier, importer, isJson) {
    const url = natives.locateModule(specifier, importer);
    natives.loadGraph(url, isJson, false);
    // Says whether the attributes are right when it was loaded before.
    natives.loadModule(url, isJson);
    return jobAt(url);
  }

  function allOf(promises) {
    return new RealmPromise((resolve, reject) => {
      let left = promises.length;
      if (left === 0) resolve();
      const one = () => {
        left -= 1;
        if (left === 0) resolve();
      };
      for (const promise of promises) then(promise, one, reject);
    });
  }

  async function instantiate(job) {
    const graph = new Set();
    async function reach(one) {
      if (graph.has(one)) return undefined;
      graph.add(one);
      const next =
        one.linked === undefined ? dependencies(one.url) : one.linked;
      const list = style === DEPTH_FIRST ? next : await next;
      return allOf(list.map(reach));
    }
    await reach(job);
    natives.instantiateModule(job.url);
    for (const one of graph) one.instantiated = done;
  }

  function instantiated(job) {
    if (job.instantiated === undefined) {
      job.instantiated = instantiate(job);
      then(job.instantiated, undefined, (error) => {
        job.failure = { error };
      });
    }
    return job.instantiated;
  }

  async function run(job) {
    await instantiated(job);
    await natives.evaluateModule(job.url);
  }

  async function runRequired(job) {
    const status = natives.statusOfModule(job.url);
    if (status === ERRORED) throw natives.exceptionOf(job.url);
    if (status > INSTANTIATED) {
      if (job.evaluated !== undefined) await job.evaluated;
      return;
    }
    // require() has refused it, because it awaits or does not link.
    natives.instantiateModule(job.url);
    job.evaluated = natives.evaluateModule(job.url);
    await job.evaluated;
  }

  async function importModule(specifier, importer, isJson, phase) {
    if (phase === DEFER) {
      throw moduleError(
        'ERR_METHOD_NOT_IMPLEMENTED',
        `import.defer() of '${specifier}': worker isolates have import() only`,
      );
    }
    const job = await (style === DEPTH_FIRST
      ? jobNow(specifier, importer, isJson)
      : jobLater(specifier, importer, isJson));
    if (phase === SOURCE) {
      await job.loaded;
      throw Object.assign(
        new SyntaxError(
          `Source phase import object is not defined for module '${job.url}'`,
        ),
        { code: 'ERR_SOURCE_PHASE_NOT_DEFINED' },
      );
    }
    await (job.required ? runRequired(job) : run(job));
    return natives.namespaceOf(job.url);
  }

  async function importTraced(specifier, importer, isJson, phase) {
    return importModule(specifier, importer, isJson, phase);
  }

  async function importCalled(specifier, importer, isJson, phase) {
    return style === WAITS_FOR_FILES
      ? importModule(specifier, importer, isJson, phase)
      : importTraced(specifier, importer, isJson, phase);
  }

  function requireError(url, parent, what, more) {
    const path = natives.filePath(url);
    const from = parent === undefined ? '' : ` (from ${parent})`;
    return moduleError(what, `${more(path)}${from}`);
  }

  function cycleError(url, parent) {
    return requireError(
      url,
      parent,
      'ERR_REQUIRE_CYCLE_MODULE',
      (path) =>
        `Cannot require() ES Module ${path} in a cycle, because it is being ` +
        'evaluated; load a part of the cycle later',
    );
  }

  function refuseAsync(url) {
    if (!natives.awaitsAtTop(url)) return;
    throw moduleError(
      'ERR_REQUIRE_ASYNC_MODULE',
      `require() cannot load ${url}, which awaits at its top level; use ` +
        'import()',
    );
  }

  function evaluateKnown(url, parent) {
    const status = natives.statusOfModule(url);
    if (status >= INSTANTIATED) refuseAsync(url);
    if (status === EVALUATED) return;
    if (status === INSTANTIATED) {
      natives.evaluateNow(url);
      return;
    }
    if (status === ERRORED) throw natives.exceptionOf(url);
    const failure = jobs.get(url)?.failure;
    if (failure !== undefined) throw failure.error;
    if (status === EVALUATING) throw cycleError(url, parent);
    throw requireError(
      url,
      parent,
      'ERR_REQUIRE_ESM_RACE_CONDITION',
      (path) =>
        `Cannot require() ES Module ${path}, because an import() of it has ` +
        'not ended or has failed; await that one',
    );
  }

  return {
    cycleError,

    /** The promise of an import() expression. */
    importLater(specifier, importer, isJson, phase) {
      const imported = importCalled(specifier, importer, isJson, phase);
      return new RealmPromise((resolve) => resolve(imported));
    },

    /** Whether require() may take what a module gives. */
    isEvaluated: (url) => natives.statusOfModule(url) === EVALUATED,

    /**
     * Evaluates it for require(), unless it is.
     *
     * @param {string} url
     * @param {string | undefined} parent the path of the file that requires it
     * @param {() => void} found called when the module is there
     * @returns {object} the namespace
     */
    requireNow(url, parent, found) {
      if (natives.knowsModule(url)) {
        found();
        evaluateKnown(url, parent);
      } else {
        natives.loadGraph(url, false, true);
        found();
        natives.instantiateModule(url);
        refuseAsync(url);
        natives.evaluateNow(url);
      }
      return natives.namespaceOf(url);
    },
  };
}

module.exports = { createImports };
