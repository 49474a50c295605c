import { execFileSync } from "node:child_process";

/** How each compared tool prints its version. */
const VERSIONS = {
  bash: ["bash", "--version"],
  curl: ["curl", "--version"],
  jq: ["jq", "--version"],
  xargs: ["xargs", "--version"],
  gh: ["gh", "--version"],
  npm: ["npm", "--version"],
  openssl: ["openssl", "version"],
};

/** The version of each tool, by its name; those that are not installed are left out. */
export function installedTools(env) {
  return Object.fromEntries(
    Object.entries(VERSIONS).flatMap(([name, [program, flag]]) => {
      const version = versionOf(program, flag, env);
      return version === undefined ? [] : [[name, `${name} ${version}`]];
    }),
  );
}

function versionOf(program, flag, env) {
  try {
    const text = execFileSync(program, [flag], { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return /[0-9]+(?:\.[0-9]+)+/.exec(text)?.[0];
  } catch {
    return undefined;
  }
}
