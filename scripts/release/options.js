import { parseArgs } from "node:util";
import { PLATFORMS } from "./platforms.js";

const OPTIONS = { only: { type: "string" }, check: { type: "boolean" }, "allow-dirty": { type: "boolean" } };

/**
 * Returns what to build.
 * @param {readonly string[]} args
 * @param {{ hash: string, epoch: number, isClean: boolean } | undefined} commit of the checkout
 * @throws for an unknown flag or platform, and if the sources have changes since the commit
 */
export function releaseOptions(args, commit) {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (!commit) throw new Error("this is not a git checkout, and a release is built from a commit");
  if (!commit.isClean && !values["allow-dirty"])
    throw new Error("the checkout has changes: commit them, or build with --allow-dirty");
  return { platforms: platformsOf(values.only), isCheck: values.check === true, commit };
}

function platformsOf(only) {
  if (only === undefined) return PLATFORMS;
  const names = only.split(",");
  const unknown = names.filter((name) => !PLATFORMS.some((platform) => platform.name === name));
  const known = PLATFORMS.map(({ name }) => name).join(", ");
  if (unknown.length > 0) throw new Error(`unknown platform "${unknown.join(", ")}" in --only: use ${known}`);
  return PLATFORMS.filter(({ name }) => names.includes(name));
}
