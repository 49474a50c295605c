import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../bundle.js";
import { bundledPackages } from "../bundled.js";
import { buildDeb } from "./deb.js";
import { buildExecutable } from "./executables.js";
import { licensesText } from "./licenses.js";
import { buildOciLayout } from "./oci.js";
import { sbomText } from "./sbom.js";

/**
 * Returns what builds the parts of a release of this checkout.
 * @param {{ version: string, hash: string, epoch: number }} about
 * @returns {import("./build-release.js").Builders}
 */
export function buildersOf({ version, hash, epoch }) {
  const toolchain = lockOf("scripts/release/toolchain/package-lock.json");
  const bunOf = (name) => ({ name, ...toolchain[`node_modules/${name}`] });
  return {
    licensesText: async () => {
      const [bunVersion] = Object.values(toolchain).flatMap((each) => each.version ?? []);
      return licensesText({ root, bunVersion });
    },
    // npm builds the program first, and gives every file in the archive the same time.
    buildTarball: async (into) => {
      const flags = ["--pack-destination", into, "--loglevel=error"];
      execFileSync("npm", ["pack", ...flags], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
    },
    buildExecutable,
    buildDeb,
    buildOciLayout,
    sbomText: async (executables) => {
      const lock = lockOf("package-lock.json");
      const packages = (await bundledPackages()).map((each) => ({ ...each, ...lock[each.path] }));
      return sbomText({
        ...{ version, commit: hash, epoch, packages },
        executables: executables.map(({ platform, sha256 }) => ({
          ...{ file: platform.file, sha256, bun: bunOf(platform.package) },
        })),
      });
    },
  };
}

function lockOf(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8")).packages;
}
