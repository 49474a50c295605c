import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../bundle.js";
import { attempted } from "../attempt.js";
import { installedBy, NPM_FLAGS, npmEnvironment } from "../npm.js";
import { interleaved } from "../rounds.js";
import { timed } from "../shell.js";
import { costRatio } from "../statistics.js";

/** Measures the size of the installed package and its installation time, next to a library of about its size. */
export async function install(world) {
  const env = { ...npmEnvironment(world), PACKED: join(world.folder, "packed"), TARGETS: world.folder };
  delete env.NODE_EXTRA_CA_CERTS;
  const size = await attempted(world, () => installedSize(world, env));
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const lines = {
    relayctl: { line: installLine('"$PACKED"/*.tgz') },
    commander: { line: installLine(`commander@${devDependencies.commander}`), needs: "npm" },
  };
  // Both from what npm holds already: a network would be most of the time.
  await installedBy(world, lines.commander.line);
  const runs = await interleaved(world, lines, { rounds: world.plan.longRounds, env });
  const ratio = costRatio(runs.relayctl, runs.commander, "wall");
  return {
    runs,
    rows: [
      { what: "installed size", unit: "MB", atMost: 3, reach: 1, ...size },
      { what: "install time of the tarball / `npm i commander`", atMost: 1.5, ...ratio },
    ],
  };
}

function installLine(what) {
  return `npm install --prefix "$(mktemp -d -p "$TARGETS")" --prefer-offline ${NPM_FLAGS} ${what}`;
}

/** In MB. */
async function installedSize(world, env) {
  const prefix = join(world.folder, "installed");
  await timed(world, `mkdir -p "$PACKED" && npm pack --ignore-scripts --pack-destination "$PACKED" ${root}`, { env });
  await timed(world, `npm install --prefix "${prefix}" ${NPM_FLAGS} --offline "$PACKED"/*.tgz`, { env });
  const files = readdirSync(join(prefix, "node_modules/relayctl"), { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}
