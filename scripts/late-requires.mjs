// A chunk that rolldown writes as CommonJS loads all it may ever need at once:
//   const require_markdown = require("./markdown.js"); … require_markdown.parse(text)
// This plugin makes each of them load when it is first used, as one would write by hand if imports allowed it:
//   let loaded; const require_markdown = () => loaded ??= require("./markdown.js"); … require_markdown().parse(text)
// Right only because loading one of our modules does nothing but define things.
const loadings = /^(?:const|let) ([\w$]+) = (require\("[^"]+"\));\n/gm;
/** Gives a CommonJS package the default export that an import of it has. */
const conversions = /^([\w$]+) = ((?:[\w$]+\.)?[\w$]+)\(\1(, 1)?\);\n/gm;
const uses = /(?<![\w$])(new )?([\w$]+)(\.[\w$]+)?/g;

export const lateRequires = {
  name: "late-requires",
  /** Commander starts programs for commands that are programs of their own; we have none, and Node's part is dear. */
  transform(code, id) {
    if (!id.endsWith("/commander/lib/command.js")) return null;
    const [loading, load] = [
      "const childProcess = require('node:child_process');\n",
      "require('node:child_process')",
    ];
    return code.replace(loading, "").replaceAll("childProcess.", `${load}.`);
  },
  renderChunk(code) {
    const loads = new Map(Array.from(code.matchAll(loadings), ([, name, load]) => [name, load]));
    if (loads.size === 0) return null;
    const late = (text) =>
      text.replace(uses, (use, made, name, member = "") => {
        if (!loads.has(name)) return use;
        return made === undefined ? `${name}()${member}` : `new (${name}()${member})`;
      });
    const body = code
      .replace(loadings, "")
      .replace(conversions, (line, name, convert, mode = "") => {
        if (!loads.has(name)) return line;
        loads.set(name, `${late(convert)}(${loads.get(name)}${mode})`);
        return "";
      });
    const head = Array.from(
      loads,
      ([name, load]) => `let ${name}$; const ${name} = () => (${name}$ ??= ${load});\n`,
    );
    return late(body).replace(/^(?:#!.*\n)?/, (shebang) => shebang + head.join(""));
  },
};
