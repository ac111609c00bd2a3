// More such jobs, by packages that are installed for bench/ alone. Each loads
// its own when it is called first.

let loaded;
const load = async (name, import_) => {
  loaded ??= new Map();
  if (!loaded.has(name)) loaded.set(name, await import_());
  return loaded.get(name);
};

export async function react(count) {
  const { render } = await load('react', () => import('../server/render.mjs'));
  return render(count).length;
}

export async function zod(text) {
  const schema = await load('zod', async () => {
    const { z } = await import('zod');
    return z.array(
      z.object({
        id: z.number().int(),
        name: z.string().min(1),
        city: z.string(),
        total: z.number(),
        placed: z.string(),
      }),
    );
  });
  return schema.parse(JSON.parse(text)).length;
}

export async function ajv(text) {
  const validate = await load('ajv', async () => {
    const { default: Ajv } = await import('ajv');
    return new Ajv().compile({
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'name', 'city', 'total', 'placed'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string', minLength: 1 },
          city: { type: 'string', pattern: '^City \\d+$' },
          total: { type: 'number', minimum: 0 },
          placed: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT' },
        },
      },
    });
  });
  let valid = 0;
  for (let n = 0; n < 4; n += 1) valid += Number(validate(JSON.parse(text)));
  return valid;
}

export async function transpile(text) {
  const { default: ts } = await load('ts', () => import('typescript'));
  const compilerOptions = { target: 'ES5', module: 'CommonJS' };
  return ts.transpileModule(text, { compilerOptions }).outputText.length;
}

export async function minify(text) {
  const terser = await load('terser', () => import('terser'));
  return (await terser.minify(text)).code.length;
}

export async function template(text) {
  const fill = await load('handlebars', async () => {
    const { default: handlebars } = await import('handlebars');
    return handlebars.compile(
      '<ul>{{#each rows}}<li id="{{id}}">{{name}}, {{city}}{{#if total}}: {{total}}{{/if}}</li>{{/each}}</ul>',
    );
  });
  return fill({ rows: JSON.parse(text) }).length;
}

export async function zip(bytes) {
  const { zipSync, unzipSync } = await load('zip', () => import('fflate'));
  return unzipSync(zipSync({ 'a.log': bytes }))['a.log'].length;
}

export async function jpeg(side) {
  const { default: codec } = await load('jpeg', () => import('jpeg-js'));
  const data = new Uint8Array(side * side * 4);
  for (let i = 0; i < data.length; i += 1) data[i] = (i * i) >> 7;
  const made = codec.encode({ width: side, height: side, data }, 80);
  return codec.decode(made.data, { useTArray: true }).width;
}

export async function pdf(pages) {
  const { PDFDocument } = await load('pdf', () => import('pdf-lib'));
  const document = await PDFDocument.create();
  for (let n = 0; n < pages; n += 1) {
    const page = document.addPage();
    for (let y = 40; y < 700; y += 20) {
      page.drawText(`Page ${n}, line ${y} of a report`, { x: 40, y, size: 11 });
    }
  }
  return (await document.save()).length;
}

export async function sheet(count) {
  const { default: xlsx } = await load('xlsx', () => import('xlsx'));
  const rows = Array.from({ length: count }, (_, id) => ({
    id,
    name: `Customer number ${id}`,
    total: id / 7,
  }));
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, xlsx.utils.json_to_sheet(rows), 'Orders');
  const bytes = xlsx.write(book, { type: 'array', bookType: 'xlsx' });
  const { Sheets } = xlsx.read(bytes, { type: 'array' });
  return xlsx.utils.sheet_to_json(Sheets.Orders).length;
}

/** SQLite as WebAssembly; the input is its code, which the first job compiles. */
export async function sql(wasmBinary) {
  const { Database } = await load('sql', async () => {
    const { default: init } = await import('sql.js');
    return init({ wasmBinary: wasmBinary.slice().buffer });
  });
  const database = new Database();
  database.run('CREATE TABLE orders (id INTEGER, city TEXT, total REAL)');
  database.run('BEGIN');
  const insert = database.prepare('INSERT INTO orders VALUES (?, ?, ?)');
  for (let id = 0; id < 5000; id += 1) insert.run([id, `c${id % 97}`, id / 7]);
  insert.free();
  database.run('COMMIT');
  const [{ values }] = database.exec(
    'SELECT city, sum(total) FROM orders GROUP BY city ORDER BY 2 DESC',
  );
  database.close();
  return values.length;
}
