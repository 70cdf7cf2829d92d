import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** A chunk that this process uses, and what its compiled form fits: this Node and this source. */
interface Chunk {
  readonly script: Script;
  readonly fits: number;
}

const checksumBytes = 4;

/**
 * Keeps the compiled form of our chunks near them, where nobody can write who could not write the chunks themselves.
 * For Node 20; from 22 on it does this itself.
 *
 * V8 believes what it is given: of the source it compares only the length, and damaged bytes crash the process. So
 * each file begins with a checksum over all that must fit, and where it does not, or nothing can be read or written,
 * everything is as if this were not here.
 */
export function keepCompiled(): void {
  const chunks = dirname(fileURLToPath(import.meta.url));
  const kept = join(chunks, "..", "..", "compiled", `${process.version}-${process.arch}`);
  const node = nodeIdentity();
  if (node === undefined) return;
  const used = new Map<string, Chunk>();
  let isComplete = true;
  const { extensions, cache } = createRequire(import.meta.url);
  const usual = extensions[".js"];
  extensions[".js"] = (module, file) => {
    if (dirname(file) !== chunks) return usual(module, file);
    run(module, basename(file));
  };

  const run = (module: NodeJS.Module, name: string): void => {
    const file = join(chunks, name);
    const source = readFileSync(file);
    const fits = crc32(source, node);
    const compiled = readKept(join(kept, name), fits);
    if (compiled === undefined) isComplete = false;
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${source}\n})`,
      { filename: file, ...(compiled === undefined ? {} : { cachedData: compiled }) },
    );
    used.set(name, { script, fits });
    const require = (id: string): unknown =>
      id.startsWith("./") ? chunk(id.slice(2), module) : module.require(id);
    script.runInThisContext()(module.exports, require, module, file, chunks);
  };

  /** As Node would, but for looking where the file might be: a command needs some ninety chunks. */
  const chunk = (name: string, parent: NodeJS.Module): unknown => {
    const file = join(chunks, name);
    const known = cache[file];
    if (known !== undefined) return known.exports;
    const made = new Module(file, parent);
    made.filename = file;
    made.paths = parent.paths;
    cache[file] = made;
    try {
      run(made, name);
    } catch (error) {
      delete cache[file];
      throw error;
    }
    made.loaded = true;
    return made.exports;
  };

  // Only then it is known which functions are used; those of chunks that were complete are kept with the others.
  process.once("exit", () => {
    if (!isComplete) keep(kept, used);
  });
}

/** Two builds of one version need not understand each other. */
function nodeIdentity(): number | undefined {
  try {
    const { size, mtimeMs } = statSync(process.execPath);
    return crc32([process.version, process.arch, process.execPath, size, mtimeMs].join("\n"));
  } catch {
    return undefined;
  }
}

function readKept(path: string, fits: number): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const compiled = bytes.subarray(checksumBytes);
    return crc32(compiled, fits) === bytes.readUInt32LE() ? compiled : undefined;
  } catch {
    return undefined;
  }
}

function keep(folder: string, chunks: ReadonlyMap<string, Chunk>): void {
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, { script, fits }] of chunks) {
      const compiled = script.createCachedData();
      const temporary = join(folder, `${name}.${process.pid}`);
      const checksum = Buffer.alloc(checksumBytes);
      checksum.writeUInt32LE(crc32(compiled, fits));
      writeFileSync(temporary, Buffer.concat([checksum, compiled]));
      renameSync(temporary, join(folder, name));
    }
  } catch {
    // A place that cannot be written, or a full disk: the next start compiles again.
  }
}
