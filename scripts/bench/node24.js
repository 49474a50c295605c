import { execFileSync } from "node:child_process";

const NPX = ["--yes", "--prefer-offline", "--package", "node@24", "node", "--print"];

/** Finds a Node 24, or lets npm get one, for the lines that need `node24`: its path becomes the variable NODE24. */
export function addNode24(world) {
  if (world.tools.node24 !== undefined) return;
  try {
    const print = "process.execPath + ' ' + process.versions.node";
    const text = execFileSync("npx", [...NPX, print], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const [path, version] = text.trim().split("\n").at(-1).split(" ");
    Object.assign(world.env, { NODE24: path });
    Object.assign(world.tools, { node24: `Node ${version}` });
  } catch {
    world.say("Node 24 is not there, and npx could not get it");
  }
}
