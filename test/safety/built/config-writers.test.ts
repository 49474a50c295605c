import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bash, newFolder } from "../../e2e/relayctl.ts";
import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";

const [WRITERS, CHANGES] = DEEP ? [8, 50] : [3, 2];

test(`${WRITERS} processes with ${CHANGES} concurrent changes each lose no change`, async () => {
  const folder = newFolder();
  const env = { NODE_OPTIONS: `--require ${join(import.meta.dirname, "patient.cjs")}` };
  const writer = (name: number) =>
    bash(
      `for i in $(seq ${CHANGES}); do relayctl context set w${name}-$i --server https://$i.example -q || exit; done`,
      { folder, env },
    );
  const ended = await Promise.all(Array.from({ length: WRITERS }, (_, name) => writer(name)));
  expect(ended.map(({ exitCode }) => exitCode)).toEqual(ended.map(() => 0));
  const { contexts } = JSON.parse(readFileSync(join(folder, "config", "config.json"), "utf8"));
  const kept = Object.keys(contexts).length;
  figure("changes by processes that write at once", WRITERS * CHANGES);
  figure("of these changes kept", kept);
  expect(kept).toBe(WRITERS * CHANGES);
  expect(readdirSync(join(folder, "config"))).toEqual(["config.json"]);
});
