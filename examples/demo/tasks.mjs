// The functions of the jobs. A job's function travels as source text, so it
// uses what its input names and nothing from around it. These run in the pool's
// isolates and, called with the same argument, on the main thread.

/**
 * The nearest airport of every row, added up by state.
 *
 * @param {{ input: { parser: string, csv: string, airports: Float64Array,
 *   names: string[], doubtfulKm: number } }} context rows farther away than
 *   `doubtfulKm` are only counted: their coordinates must be wrong
 */
export async function nearestAirports({ input }) {
  const { csvParse } = await import(input.parser);
  const { airports } = input;

  function nearest(latitude, longitude) {
    const cosine = Math.cos(latitude);
    let best = Infinity;
    let index = -1;
    for (let i = 0; i < airports.length; i += 2) {
      const north = Math.sin((airports[i] - latitude) / 2);
      const east = Math.sin((airports[i + 1] - longitude) / 2);
      const haversine =
        north * north + cosine * Math.cos(airports[i]) * east * east;
      if (haversine < best) {
        best = haversine;
        index = i / 2;
      }
    }
    return { km: 12742 * Math.asin(Math.sqrt(best)), index };
  }

  const states = new Map();
  for (const row of csvParse(input.csv)) {
    const { km, index } = nearest(
      (row.latitude * Math.PI) / 180,
      (row.longitude * Math.PI) / 180,
    );
    let state = states.get(row.state);
    if (state === undefined) {
      state = { state: row.state, rows: 0, km: 0, farthestKm: -1, doubtful: 0 };
      states.set(row.state, state);
    }
    if (km > input.doubtfulKm) {
      state.doubtful += 1;
      continue;
    }
    state.rows += 1;
    state.km += km;
    if (km > state.farthestKm) {
      state.farthestKm = km;
      state.farthest = `${row.city} ${row.zip_code}`;
      state.airport = input.names[index];
    }
  }
  return [...states.values()];
}

/**
 * Renders Markdown, then counts the words and hashes every text.
 *
 * @param {{ input: { renderer: string,
 *   documents: { name: string, text: string }[] } }} context
 */
export async function indexDocuments({ input }) {
  const { Marked } = await import(input.renderer);
  const marked = new Marked();

  // FNV-1a, 32 bits, over UTF-16 units.
  function fingerprint(text) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    }
    return hash >>> 0;
  }

  const frequencies = new Map();
  const rows = input.documents.map(({ name, text }) => {
    const html = name.endsWith('.md') ? marked.parse(text) : undefined;
    const words = (html?.replace(/<[^>]*>/g, ' ') ?? text).match(/\p{L}{4,}/gu);
    const distinct = new Set(words?.map((word) => word.toLowerCase()));
    for (const word of distinct) {
      frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
    }
    return {
      name,
      html: html?.length ?? 0,
      words: words?.length ?? 0,
      hash: fingerprint(text),
    };
  });
  return {
    rows,
    words: [...frequencies.keys()],
    counts: Uint32Array.from(frequencies.values()),
  };
}

/**
 * Hashes and compresses every file.
 *
 * @param {{ input: { files: { name: string, text: string }[] } }} context
 */
export async function archiveFiles({ input }) {
  const { createHash } = await import('node:crypto');
  const { gzipSync } = await import('node:zlib');
  return input.files.map(({ name, text }) => {
    const bytes = Buffer.from(text);
    return {
      name,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
      compressed: gzipSync(bytes).length,
    };
  });
}
