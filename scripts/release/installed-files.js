import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../bundle.js";
import { debianChangelog, debianCopyright, OVERRIDES } from "./debian-texts.js";
import { gzip } from "./tar.js";

const DOCUMENTS = "usr/share/doc/relayctl";

/**
 * Returns what the Debian package installs: the executable, the manual pages, the completions of three shells, and documents.
 * @param {{ executable: string, version: string, licenses: string, epoch: number }} what as `buildDeb` gets it
 * @returns {Record<string, import("./tar.js").Entry>} by path
 */
export function installedFiles({ executable, version, licenses, epoch }) {
  const pages = readdirSync(join(root, "man"));
  return {
    "usr/bin/relayctl": { mode: 0o755, content: readFileSync(executable) },
    ...Object.fromEntries(pages.map((page) => [`usr/share/man/man1/${page}.gz`, packed(source(`man/${page}`))])),
    "usr/share/bash-completion/completions/relayctl": { content: source("completions/relayctl.bash") },
    "usr/share/zsh/vendor-completions/_relayctl": { content: source("completions/_relayctl") },
    "usr/share/fish/vendor_completions.d/relayctl.fish": { content: source("completions/relayctl.fish") },
    [`${DOCUMENTS}/copyright`]: { content: debianCopyright(source("LICENSE").toString()) },
    [`${DOCUMENTS}/LICENSES.txt.gz`]: packed(licenses),
    [`${DOCUMENTS}/changelog.gz`]: packed(debianChangelog(version, epoch)),
    [`${DOCUMENTS}/CHANGELOG.md.gz`]: packed(source("CHANGELOG.md")),
    "usr/share/lintian/overrides/relayctl": { content: OVERRIDES },
  };
}

function source(path) {
  return readFileSync(join(root, path));
}

function packed(content) {
  return { content: gzip(Buffer.from(content)) };
}
