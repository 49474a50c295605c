// Kills this process before it does something with a file for the nth time, or counts how often it does.
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { CONFIG_FOLDER: folder, KILL_AT: killAt, COUNT_INTO: report } = process.env;
const { writeFileSync } = fs;
let count = 0;

/** A path in the folder, or the descriptor of a file: descriptors up to 2 are the program's output. */
const isMeant = (file) => (typeof file === "number" ? file > 2 : String(file).startsWith(folder));

/** Counts a step, before which the process may be killed. */
function step() {
  if (++count === Number(killAt)) process.kill(process.pid, "SIGKILL");
}

for (const holder of [fs, fs.promises]) {
  for (const [name, method] of Object.entries(holder)) {
    if (typeof method !== "function" || /^[A-Z_]|^(?:exists|l?stat|f?stat|access|read|close|realpath)/.test(name))
      continue;
    holder[name] = Object.assign(function (file, ...rest) {
      if (isMeant(file)) step();
      return method.call(this, file, ...rest);
    }, method);
  }
}
syncBuiltinESMExports();

if (report) process.on("exit", () => writeFileSync(report, String(count)));

module.exports = step;
