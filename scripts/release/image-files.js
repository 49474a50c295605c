import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { root } from "../bundle.js";

/** The user that the program runs as. Other images without a shell use the same number. */
export const USER = { id: 65_532, name: "relayctl" };
export const HOME = "/home/relayctl";
export const WORK = "/work";

const CERTIFICATES = `# The root certificates of Mozilla, under the Mozilla Public License 2.0, as Node.js has them.

${rootCertificates.join("\n")}
`;

/**
 * Returns the layer below the program, by path: glibc, root certificates, and what a program expects of a system. There is no shell.
 * @param {import("./glibc.js").Glibc} glibc
 * @returns {Record<string, import("./tar.js").Entry>}
 */
export function systemFiles({ files, copyright }) {
  const { id, name } = USER;
  return {
    ...files,
    "etc/group": { content: `root:x:0:\n${name}:x:${id}:\n` },
    "etc/nsswitch.conf": { content: "passwd: files\ngroup: files\nhosts: files dns\n" },
    "etc/passwd": {
      content: `root:x:0:0:root:/root:/sbin/nologin\n${name}:x:${id}:${id}:${name}:${HOME}:/sbin/nologin\n`,
    },
    "etc/ssl/certs/ca-certificates.crt": { content: CERTIFICATES },
    "usr/share/doc/libc6/copyright": { content: copyright },
    [HOME.slice(1)]: { owner: USER },
    [WORK.slice(1)]: { owner: USER },
    tmp: { mode: 0o1777 },
    // A root that is read-only needs the folders that are mounted over.
    ...{ dev: {}, proc: {}, run: {}, sys: {} },
  };
}

/**
 * Returns the layer of the program, by path.
 * @param {{ executable: string, licenses: string }} what the path of the executable, and the licenses of everything in it
 * @returns {Record<string, import("./tar.js").Entry>}
 */
export function programFiles({ executable, licenses }) {
  return {
    "usr/bin/relayctl": { mode: 0o755, content: readFileSync(executable) },
    "usr/share/doc/relayctl/copyright": { content: readFileSync(join(root, "LICENSE")) },
    "usr/share/doc/relayctl/LICENSES.txt": { content: licenses },
  };
}
