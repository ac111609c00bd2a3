'use strict';
// What Node's text of v8 knows as internalBinding('v8'): arrays that natives
// fill, and the places of the figures in them.

const HEAP = [
  'kTotalHeapSizeIndex',
  'kTotalHeapSizeExecutableIndex',
  'kTotalPhysicalSizeIndex',
  'kTotalAvailableSize',
  'kUsedHeapSizeIndex',
  'kHeapSizeLimitIndex',
  'kMallocedMemoryIndex',
  'kPeakMallocedMemoryIndex',
  'kDoesZapGarbageIndex',
  'kNumberOfNativeContextsIndex',
  'kNumberOfDetachedContextsIndex',
  'kTotalGlobalHandlesSizeIndex',
  'kUsedGlobalHandlesSizeIndex',
  'kExternalMemoryIndex',
  'kTotalAllocatedBytes',
];
const SPACE = [
  'kSpaceSizeIndex',
  'kSpaceUsedSizeIndex',
  'kSpaceAvailableSizeIndex',
  'kPhysicalSpaceSizeIndex',
];
const CODE = [
  'kCodeAndMetadataSizeIndex',
  'kBytecodeAndMetadataSizeIndex',
  'kExternalScriptSourceSizeIndex',
  'kCPUProfilerMetaDataSizeIndex',
];

function heapFigures(_require, natives) {
  const heap = new Float64Array(HEAP.length);
  const space = new Float64Array(SPACE.length);
  const code = new Float64Array(CODE.length);
  const members = {
    kHeapSpaces: natives.spaceNames(),
    heapStatisticsBuffer: heap,
    heapSpaceStatisticsBuffer: space,
    heapCodeStatisticsBuffer: code,
    updateHeapStatisticsBuffer: () => natives.heapFigures(heap),
    updateHeapSpaceStatisticsBuffer: (at) => natives.spaceFigures(at, space),
    updateHeapCodeStatisticsBuffer: () => natives.codeFigures(code),
    // Of C++ objects, of which an isolate has none.
    detailLevel: {},
  };
  for (const names of [HEAP, SPACE, CODE]) {
    for (let at = 0; at < names.length; at += 1) members[names[at]] = at;
  }
  return members;
}

module.exports = { heapFigures };
