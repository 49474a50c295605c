import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedBy } from "./npm.js";

const SDK = "@openzeppelin/relayer-sdk";

/** Installs the service's SDK into a separate folder for the lines that need `sdk`, which are left out without npm. */
export async function addSdk(world) {
  if (world.tools.sdk !== undefined) return;
  mkdirSync(world.env.SDK, { recursive: true });
  writeFileSync(join(world.env.SDK, "package.json"), '{ "private": true }\n');
  copyFileSync(join(import.meta.dirname, "sdk-list.cjs"), join(world.env.SDK, "sdk-list.cjs"));
  if (!(await installedBy(world, `npm install --prefix "$SDK" --prefer-offline ${SDK}`))) return;
  const { version } = JSON.parse(readFileSync(join(world.env.SDK, "node_modules", SDK, "package.json"), "utf8"));
  Object.assign(world.tools, { sdk: `${SDK} ${version}` });
}
