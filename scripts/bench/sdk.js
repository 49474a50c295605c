import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedBy } from "./npm.js";

const SDK = "@openzeppelin/relayer-sdk";

/**
 * Installs the service's SDK into a folder of its own, beside the script that uses it; it never becomes part of this project.
 * @returns its version, or nothing where npm cannot get it
 */
export async function installSdk(world) {
  mkdirSync(world.env.SDK);
  writeFileSync(join(world.env.SDK, "package.json"), '{ "private": true }\n');
  copyFileSync(join(import.meta.dirname, "sdk-list.cjs"), join(world.env.SDK, "sdk-list.cjs"));
  if (!(await installedBy(world, `npm install --prefix "$SDK" ${SDK}`))) return undefined;
  const { version } = JSON.parse(readFileSync(join(world.env.SDK, "node_modules", SDK, "package.json"), "utf8"));
  return `${SDK} ${version}`;
}
