/**
 * What an executable is made for.
 * @typedef {object} Platform
 * @property {string} name as in the names of what is released
 * @property {string} bun what Bun's compiler calls it
 * @property {string} package the package that holds Bun for it
 * @property {string} os as in `process.platform`
 * @property {string} cpu as in `process.arch`
 * @property {string} file the name of the executable
 * @property {string} [deb] the architecture as Debian writes it; only for Linux
 * @property {{ os: string, architecture: string }} [oci] the platform of a container image; only for Linux
 */

const linux = { os: "linux" };
const macos = { os: "darwin" };

/**
 * Everything that executables are made for.
 * @type {readonly Platform[]}
 */
export const PLATFORMS = Object.freeze([
  {
    ...{ name: "linux-x64", bun: "bun-linux-x64", package: "@oven/bun-linux-x64", ...linux, cpu: "x64" },
    ...{ file: "relayctl-linux-x64", deb: "amd64", oci: { os: "linux", architecture: "amd64" } },
  },
  {
    ...{ name: "linux-arm64", bun: "bun-linux-arm64", package: "@oven/bun-linux-aarch64", ...linux, cpu: "arm64" },
    ...{ file: "relayctl-linux-arm64", deb: "arm64", oci: { os: "linux", architecture: "arm64" } },
  },
  {
    ...{ name: "macos-arm64", bun: "bun-darwin-arm64", package: "@oven/bun-darwin-aarch64", ...macos, cpu: "arm64" },
    file: "relayctl-macos-arm64",
  },
  {
    ...{ name: "macos-x64", bun: "bun-darwin-x64", package: "@oven/bun-darwin-x64", ...macos, cpu: "x64" },
    file: "relayctl-macos-x64",
  },
  {
    ...{ name: "windows-x64", bun: "bun-windows-x64", package: "@oven/bun-windows-x64", os: "win32", cpu: "x64" },
    file: "relayctl-windows-x64.exe",
  },
]);

/**
 * Returns the platform of this machine.
 * @returns {Platform}
 */
export function thisPlatform({ platform, arch } = process) {
  const found = PLATFORMS.find(({ os, cpu }) => os === platform && cpu === arch);
  if (!found) throw new Error(`no executable is made for ${platform} on ${arch}`);
  return found;
}
