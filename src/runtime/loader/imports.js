'use strict';

const { Format } = require('./format.js');
const { append } = require('./builtins.js');
const { createExplain } = require('./explain.js');
const { asyncError, moduleError, unlinkedError } = require('./module-error.js');

// v8::Module::Status
const INSTANTIATED = 2;
const EVALUATING = 3;
const EVALUATED = 4;
const ERRORED = 5;

// ModuleLoader::Phase
const SOURCE = 0;
const DEFER = 1;

// The values of natives.loadStyle(), see isolate/v8_compat.h.
const DEPTH_FIRST = 0;
const WAITS_FOR_FILES = 2;
// Node 20 and 22 look for a better text of this error.
const NO_EXPORT = ' does not provide an export named';

/**
 * import() and require() of modules. Both do what Node does, turn by turn of
 * the microtasks: the order in which files run depends on the turns in which
 * they are linked, because a program may import several at a time. Each async
 * function here stands for one in Node's loader.
 *
 * @param {object} natives isolate/modules/module_steps.cc
 * @param {object} texts see texts.js
 * @param {object} promises see src/runtime/own-promises.js
 * @param {object} turns see turns.js
 * @param {object} packages see packages.js
 * @param {(name: string) => object | undefined} traceOf the tracing channel of
 *   node:diagnostics_channel that somebody listens to
 */
function createImports(natives, texts, promises, turns, packages, traceOf) {
  const { isUntold } = packages;
  const { own, follow, allOf, resolved, forUser } = promises;
  const style = natives.loadStyle();
  const explain = createExplain(natives, texts, style !== WAITS_FOR_FILES);
  // The jobs by URL and whether it was asked for as JSON: { id, url, loaded, linked,
  // instantiated, evaluated, failure }
  const jobs = { __proto__: null };
  // URLs of what require() has refused, because it awaits.
  const awaiting = { __proto__: null };
  let lastId = 0;

  // A form is whether it is to be JSON, or the error of an import attribute that
  // nothing supports.
  const keyOf = (url, form) => {
    if (typeof form !== 'boolean') return `refused ${form.message} ${url}`;
    return form ? `json ${url}` : url;
  };

  // The job has no prototype, because async functions return it.
  function jobOf(url, loaded, required) {
    lastId += 1;
    return {
      __proto__: null,
      id: lastId,
      url,
      loaded,
      required,
      linked: undefined,
      instantiated: undefined,
      evaluated: undefined,
      failure: undefined,
    };
  }

  function jobAt(url, isJson) {
    const key = keyOf(url, isJson);
    if (jobs[key] === undefined) {
      // Loaded by a static import or by require(). What require() alone has
      // linked is not ready, as in Node: import() looks through its graph.
      const job = jobOf(url, resolved, natives.wasRequired(url));
      if (natives.wasEntered(url)) job.instantiated = resolved;
      jobs[key] = job;
    }
    return jobs[key];
  }

  function dependencies(url) {
    const list = natives.requestsOf(url);
    const found = [];
    for (let i = 0; i < list.length; i += 4) {
      if (list[i + 3] > DEFER) {
        append(found, jobAt(list[i + 1], list[i + 2]));
      }
    }
    return found;
  }

  // A native error's message is its own property.
  const isAboutExport = (error) =>
    typeof error?.message === 'string' &&
    texts.includes(error.message, NO_EXPORT);

  // Whether the name says so, with the "type" of its package.json: what counts
  // as CommonJS even if it had the text of a module.
  function isNamed(url) {
    const path = natives.filePath(url);
    if (path === undefined) return true;
    if (texts.endsWith(path, '.cjs')) return true;
    return (
      isUntold(path) && natives.formatOf(path, 'export {};') === Format.CommonJs
    );
  }

  function loadNow(url, form) {
    if (typeof form !== 'boolean') throw form;
    natives.loadModule(url, form);
  }

  function load(url, form) {
    if (style === WAITS_FOR_FILES) return own(loadLater(url, form));
    loadNow(url, form);
    return resolved;
  }

  // Node asks a data: URL for its text in a turn of its own.
  function waitFor(url) {
    if (texts.startsWith(url, 'data:')) return turns.ofText();
    return isNamed(url) ? turns.ofName() : turns.ofFile();
  }

  async function loadLater(url, form) {
    await waitFor(url);
    loadNow(url, form);
  }

  function newJob(url, form) {
    const job = jobOf(url, load(url, form), false);
    jobs[keyOf(url, form)] = job;
    job.linked = own(link(job));
    // Code that imports it hears of its failure.
    follow(job.linked, undefined, () => {});
    return job;
  }

  async function link(job) {
    await job.loaded;
    const list = natives.requestsOf(job.url);
    const found = { __proto__: null, length: list.length / 4 };
    const waits = { __proto__: null, length: 0 };
    for (let i = 0; i < list.length; i += 4) {
      const next = own(jobLater(list[i], job.url, list[i + 2]));
      waits.length += 1;
      waits[i / 4] = follow(next, (one) => {
        found[i / 4] = one;
        return one.loaded;
      });
    }
    await allOf(waits);
    return found;
  }

  async function jobLater(specifier, importer, form) {
    const url = await natives.locateModule(specifier, importer);
    const known = jobs[keyOf(url, form)];
    if (known !== undefined) return known;
    return natives.knowsModule(url) && natives.isJson(url) === form
      ? jobAt(url, form)
      : newJob(url, form);
  }

  function jobNow(specifier, importer, form) {
    const url = natives.locateModule(specifier, importer);
    if (typeof form !== 'boolean') throw form;
    natives.loadGraph(url, form, false);
    // Says whether the attributes are right when it was loaded before.
    natives.loadModule(url, form);
    return jobAt(url, form);
  }

  async function reach(one, graph) {
    if (graph.has[one.id]) return undefined;
    graph.has[one.id] = true;
    append(graph.list, one);
    const next = one.linked === undefined ? dependencies(one.url) : one.linked;
    const list = style === DEPTH_FIRST ? next : await next;
    const waits = { __proto__: null, length: 0 };
    for (let i = 0; i < list.length; ++i) {
      waits.length += 1;
      waits[i] = own(reach(list[i], graph));
    }
    return allOf(waits);
  }

  async function instantiate(job) {
    const graph = { has: { __proto__: null }, list: [] };
    try {
      await own(reach(job, graph));
      natives.instantiateModule(job.url);
    } catch (error) {
      if (style !== DEPTH_FIRST && isAboutExport(error)) {
        await undefined;
        await (style === WAITS_FOR_FILES ? turns.ofFile() : undefined);
      }
      job.failure = { error };
      throw error;
    }
    for (let i = 0; i < graph.list.length; ++i) {
      graph.list[i].instantiated = resolved;
    }
  }

  function instantiated(job) {
    job.instantiated ??= own(instantiate(job));
    return job.instantiated;
  }

  const evaluate = (job) => own(natives.evaluateModule(job.url));

  async function run(job) {
    await instantiated(job);
    try {
      await evaluate(job);
    } catch (error) {
      explain(error, job.url);
      throw error;
    }
  }

  async function runRequired(job) {
    const status = natives.statusOfModule(job.url);
    if (status === ERRORED) throw natives.exceptionOf(job.url);
    if (status > INSTANTIATED) {
      if (job.evaluated !== undefined) await job.evaluated;
      return;
    }
    // require() has refused it, because it awaits or does not link.
    if (status < INSTANTIATED && style !== DEPTH_FIRST) {
      throw unlinkedError(job.url);
    }
    natives.instantiateModule(job.url);
    job.evaluated = evaluate(job);
    await job.evaluated;
    job.evaluated = undefined;
  }

  async function importModule(specifier, importer, form, phase) {
    if (phase === DEFER) {
      throw moduleError(
        'ERR_METHOD_NOT_IMPLEMENTED',
        `import.defer() of '${specifier}': worker isolates have import() only`,
      );
    }
    const job = await (style === DEPTH_FIRST
      ? jobNow(specifier, importer, form)
      : own(jobLater(specifier, importer, form)));
    if (phase === SOURCE) {
      await job.loaded;
      throw moduleError(
        'ERR_SOURCE_PHASE_NOT_DEFINED',
        `Source phase import object is not defined for module '${job.url}'`,
      );
    }
    await own(job.required ? runRequired(job) : run(job));
    return natives.namespaceOf(job.url);
  }

  async function importTraced(specifier, importer, form, phase) {
    const run = () => own(importModule(specifier, importer, form, phase));
    const trace = traceOf('import');
    if (trace === undefined) return run();
    const context = { __proto__: null, parentURL: importer, url: specifier };
    return own(trace.tracePromise(run, context));
  }

  async function importCalled(specifier, importer, form, phase) {
    return own(
      style === WAITS_FOR_FILES
        ? importModule(specifier, importer, form, phase)
        : importTraced(specifier, importer, form, phase),
    );
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

  function raceError(url, parent) {
    return requireError(
      url,
      parent,
      'ERR_REQUIRE_ESM_RACE_CONDITION',
      (path) =>
        `Cannot require() ES Module ${path}, because an import() of it has ` +
        'not ended or has failed; await that one',
    );
  }

  // Node 20 and 22 look for it only before they evaluate, and remember it.
  function refuseAsync(url) {
    if (!natives.awaitsAtTop(url)) return;
    awaiting[url] = true;
    throw asyncError(url);
  }

  function refuseKnownAsync(url, status) {
    const awaits =
      awaiting[url] === true ||
      ((style === DEPTH_FIRST
        ? status >= INSTANTIATED
        : status === EVALUATED) &&
        natives.awaitsAtTop(url));
    if (awaits) throw asyncError(url);
  }

  function evaluateNow(url) {
    try {
      natives.evaluateNow(url);
    } catch (error) {
      if (style !== WAITS_FOR_FILES) explain(error, url);
      throw error;
    }
  }

  function evaluateKnown(url, parent) {
    const status = natives.statusOfModule(url);
    refuseKnownAsync(url, status);
    if (status === EVALUATED) return;
    if (status === INSTANTIATED) {
      refuseAsync(url);
      evaluateNow(url);
      return;
    }
    if (status === ERRORED) throw natives.exceptionOf(url);
    const failure = jobs[url]?.failure;
    if (failure !== undefined) throw failure.error;
    if (status === EVALUATING) throw cycleError(url, parent);
    throw raceError(url, parent);
  }

  return {
    cycleError,

    /** The promise of an import() expression. */
    importLater(specifier, importer, form, phase) {
      return forUser(own(importCalled(specifier, importer, form, phase)));
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
        if (jobs[url] !== undefined) throw raceError(url, parent);
        natives.loadGraph(url, false, true);
        found();
        natives.instantiateModule(url);
        refuseAsync(url);
        evaluateNow(url);
      }
      return natives.namespaceOf(url);
    },
  };
}

module.exports = { createImports };
