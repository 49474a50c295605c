// Kills this process before it does something with a file, or sends or receives something, for the nth time.
const { Socket } = require("node:net");

process.env.CONFIG_FOLDER = process.env.STATE_FOLDER;
const step = require("../kill-at.cjs");

for (const name of ["write", "push"]) {
  const method = Socket.prototype[name];
  Socket.prototype[name] = function (...rest) {
    // The program's output may be a socket too.
    if (this.remotePort) step();
    return method.apply(this, rest);
  };
}
