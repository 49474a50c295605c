import { readFileSync } from "node:fs";
import { arch, cpus, totalmem, type } from "node:os";

/** What all of this was measured on and with, and what else ran there, in one paragraph. */
export function machineText(tools, runs) {
  const [cpu, ...more] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const machine = `${more.length + 1} × ${cpu.model}, ${memory}, ${systemName()}, ${arch()}`;
  const versions = [`Node ${process.versions.node}`, ...Object.values(tools)].join(" · ");
  return `${machine}${loadText(runs)}. ${versions}.`;
}

function loadText(runs) {
  const loads = runs.flatMap(({ load }) => (load === undefined ? [] : [load]));
  if (loads.length === 0) return "";
  return `; load of other programs ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
}

function systemName() {
  try {
    return /^PRETTY_NAME="(.+)"$/m.exec(readFileSync("/etc/os-release", "utf8"))[1];
  } catch {
    return type();
  }
}
