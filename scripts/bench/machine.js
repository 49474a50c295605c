import { readFileSync } from "node:fs";
import { arch, cpus, totalmem, type } from "node:os";

/** What all of this was measured on and with, in one paragraph. */
export function machineText(tools) {
  const [cpu, ...more] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const machine = `${more.length + 1} × ${cpu.model}, ${memory}, ${systemName()}, ${arch()}`;
  const versions = [`Node ${process.versions.node}`, ...Object.values(tools)].join(" · ");
  return `${machine}. ${versions}.`;
}

function systemName() {
  try {
    return /^PRETTY_NAME="(.+)"$/m.exec(readFileSync("/etc/os-release", "utf8"))[1];
  } catch {
    return type();
  }
}
