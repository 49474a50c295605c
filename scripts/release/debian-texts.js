/** Who stands for the package; the address receives nothing. */
const MAINTAINER = "The relayctl authors <relayctl@relayctl.invalid>";

/** The oldest glibc that Bun's executables run with. */
export const NEEDED_GLIBC = "2.17";

/**
 * Returns a version as Debian writes it, where `~` sorts before the release itself.
 * @param {string} version as in package.json
 */
export function debianVersion(version) {
  return version.replace("-", "~");
}

/**
 * Returns the control file of the package.
 * @param {{ version: string, architecture: string, kibibytes: number }} about
 */
export function debianControl({ version, architecture, kibibytes }) {
  return `Package: relayctl
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${kibibytes}
Depends: libc6 (>= ${NEEDED_GLIBC})
Suggests: bash-completion, man-db
Section: net
Priority: optional
Description: operate blockchain transaction relayers from the command line
 Lists, creates, and changes the relayers of a relayer service, sends and
 follows their transactions, compares a fleet with its files, and receives the
 webhook notifications of the service.
 .
 Needs no Node.js. Try "relayctl --demo relayers list", which needs no service.
`;
}

/**
 * Returns the file that Debian keeps for the copyright of a package.
 * @param {string} license the text of the project's license
 */
export function debianCopyright(license) {
  const [, holder] = /^Copyright \(c\) (.*)$/m.exec(license) ?? [];
  const terms = license.slice(license.indexOf("Permission is hereby granted"));
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: relayctl
Comment: The executable has Bun and other packages in it; their licenses are in LICENSES.txt.gz.

Files: *
Copyright: ${holder}
License: Expat
${terms.trim().replace(/^$/gm, ".").replace(/^/gm, " ")}
`;
}

/**
 * Returns the changelog of the Debian package, not the program's.
 * @param {string} version as in package.json
 * @param {number} epoch time of the version in seconds
 */
export function debianChangelog(version, epoch) {
  const date = new Date(epoch * 1000).toUTCString().replace("GMT", "+0000");
  return `relayctl (${debianVersion(version)}) stable; urgency=medium

  * Release ${version}: see CHANGELOG.md.gz.

 -- ${MAINTAINER}  ${date}
`;
}

/** What lintian finds in each executable of Bun. */
export const OVERRIDES = `# The program is at the end of the executable, and stripping would remove it.
relayctl: unstripped-binary-or-object [usr/bin/relayctl]
# Bun links its libraries statically, at fixed addresses, and its texts are not ours.
relayctl: embedded-library * [usr/bin/relayctl]
relayctl: hardening-no-pie [usr/bin/relayctl]
relayctl: hardening-no-relro [usr/bin/relayctl]
relayctl: hardening-no-bindnow [usr/bin/relayctl]
relayctl: spelling-error-in-binary * [usr/bin/relayctl]
`;
