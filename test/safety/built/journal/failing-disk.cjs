// Fails whatever writes below a folder, as a full disk or a read-only one does.
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { STATE_FOLDER: folder, FAULT: code } = process.env;

const isMeant = (file) => (typeof file === "number" ? file > 2 : String(file).startsWith(folder));
const names =
  code === "ENOSPC"
    ? ["write", "writeSync", "writeFileSync", "writevSync"]
    : ["mkdir", "mkdirSync", "writeSync", "writeFileSync", "renameSync"];

for (const holder of [fs, fs.promises]) {
  for (const name of names) {
    const method = holder[name];
    if (!method) continue;
    holder[name] = function (file, ...rest) {
      if (isMeant(file)) throw Object.assign(new Error(`${code}: ${name}`), { code, syscall: name });
      return method.call(this, file, ...rest);
    };
  }
}
syncBuiltinESMExports();
