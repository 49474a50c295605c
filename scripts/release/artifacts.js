/** The names of the files that a release consists of, in the order in which they are built. */

export const CHECKSUMS = "SHA256SUMS";
export const LICENSES = "LICENSES.txt";

/**
 * Returns the names of the files of a release, without the checksums.
 * @param {string} version
 * @param {readonly import("./platforms.js").Platform[]} platforms
 */
export function artifactsOf(version, platforms) {
  return [
    LICENSES,
    tarballName(version),
    ...platforms.map(({ file }) => file),
    ...platforms.flatMap(({ deb }) => (deb ? [debName(version, deb)] : [])),
    ...(platforms.some(({ oci }) => oci) ? [ociName(version)] : []),
    sbomName(version),
  ];
}

export const tarballName = (version) => `relayctl-${version}.tgz`;
export const debName = (version, architecture) => `relayctl_${version}_${architecture}.deb`;
export const ociName = (version) => `relayctl-${version}-oci.tar`;
export const sbomName = (version) => `relayctl-${version}.cdx.json`;
