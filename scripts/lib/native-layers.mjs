const layers = [
  'src/base',
  'src/payload',
  'src/job',
  'src/pool',
  'src/isolate',
  'src/worker',
  'src/sandbox',
  'binding',
];
const firstWithV8 = layers.indexOf('src/isolate');

const layerOf = (path) =>
  layers.findIndex((layer) => path.startsWith(`${layer}/`));

/** `base/clock.h` is written relative to src/, `binding/x.h` to the root. */
const includedLayer = (name) => Math.max(layerOf(name), layerOf(`src/${name}`));

const napi = /^(napi|node_api|node_api_types|js_native_api)\b.*\.h$/;
const engine = /^(v8|uv|libplatform|cppgc)\b.*/;

export const isNative = (file) => layerOf(file) >= 0;

/** @returns {string | undefined} what is wrong with an include of a file */
export function includeProblem(file, name) {
  const own = layerOf(file);
  if (includedLayer(name) > own) return `includes the higher layer ${name}`;
  if (napi.test(name) && !file.startsWith('binding/')) {
    return `includes ${name}, which only binding/ may`;
  }
  if (/^node(_buffer|_object_wrap|_version)?\.h$/.test(name)) {
    const bridge = file.startsWith('src/isolate/platform_bridge.');
    if (!bridge && !file.startsWith('binding/')) {
      return `includes ${name}, which only platform_bridge and binding/ may`;
    }
  }
  if (engine.test(name) && own < firstWithV8) {
    return `includes ${name} below src/isolate`;
  }
  return undefined;
}
