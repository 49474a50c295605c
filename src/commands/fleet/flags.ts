/** `--file` of the commands that compare a fleet with files. */
export const FLEET_FILES = [
  "-f, --file <file...>",
  "Read the fleet from these config.json or YAML files (`-` for stdin)",
] as const;

/** `--prune` and `--send-hidden`, which change what a plan contains. */
export const PRUNE = [
  "--prune",
  "Also delete relayers, signers, and notifications that are not in the files, if any file lists that kind",
] as const;

export const SEND_HIDDEN = [
  "--send-hidden",
  "Also send values that the service does not return, e.g. signing keys, although they cannot be compared",
] as const;

/** The flags, with commander's names. */
export interface FleetFlags {
  file?: readonly string[];
  prune?: true;
  sendHidden?: true;
}
