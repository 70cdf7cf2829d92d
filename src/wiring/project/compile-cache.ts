import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { defined } from "../../domain/values/defined.ts";

/** A chunk that this process uses, and what its compiled form fits: this Node and this source. */
interface Chunk {
  readonly script: Script;
  readonly fits: number;
}

const checksumBytes = 4;

const head = Buffer.from("(function (exports, require, module, __filename, __dirname) {");
const tail = Buffer.from("\n})");

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
  const requireOther = createRequire(import.meta.url);
  const { cache, extensions } = requireOther;
  const load = (module: Module, file: string): void => {
    const source = readFileSync(file);
    const fits = crc32(source, node);
    const compiled = readKept(join(kept, basename(file)), fits);
    // Joined as bytes: joined as strings, half a megabyte would be copied once more and collected.
    const script = new Script(Buffer.concat([head, source, tail]).toString(), {
      filename: file,
      ...defined({ cachedData: compiled }),
    });
    // Kept by a process with other V8 flags it is refused, and would be for ever if it stayed.
    if (script.cachedDataRejected !== false) isComplete = false;
    used.set(basename(file), { script, fits });
    script.runInThisContext()(module.exports, require, module, file, chunks);
  };
  // Where a chunk lies is known: Node would look for it, and for packages around it, longer than loading it takes.
  const require = (id: string): unknown => {
    if (!id.startsWith("./")) return requireOther(id);
    const file = join(chunks, id);
    const known = cache[file];
    if (known !== undefined) return known.exports;
    const module = new Module(file);
    cache[file] = module;
    try {
      load(module, file);
    } catch (error) {
      delete cache[file];
      throw error;
    }
    return module.exports;
  };
  const usual = extensions[".js"];
  extensions[".js"] = (module, file) =>
    dirname(file) === chunks ? load(module, file) : usual(module, file);
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
