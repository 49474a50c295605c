import { readFileSync } from "node:fs";
import fc from "fast-check";
import { parseJson, prettyJson } from "../../../src/contract/json.ts";
import { readFleetFiles } from "../../../src/fleet/config/read-fleet.ts";
import { fleetDocument } from "../../../src/fleet/export/fleet-document.ts";
import type { LiveFleet } from "../../../src/fleet/live.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { cli, ends, exits } from "../../helpers/cli.ts";
import { runs, sampled } from "../../helpers/deep.ts";
import { compared, type Lists, liveFleet } from "../../helpers/fleet.ts";
import { fleetOf, memorySources } from "../fleet-files.ts";
import { CANARY, liveFleets } from "./live-fleets.ts";
import { serviceOf } from "./live-service.ts";

test.each(["json", "yaml"] as const)(
  "a plan of an export in %s finds no difference, and it has no secret",
  async (notation) => {
    await fc.assert(
      fc.asyncProperty(liveFleets, async (live) => {
        const document = fleetDocument(live, { notation, showUrls: false });
        const text = notation === "json" ? prettyJson(document) : await yamlText(document);
        expect(text).not.toContain(CANARY);
        const { plan } = await compared(await fleetOf(text, { file: `fleet.${notation}` }), live);
        expect(plan).toMatchObject({ changes: [], cannot: [], outside: [], unmanaged: [] });
        expect(fleetDocument(live, { notation, showUrls: false })).toEqual(document);
      }),
      runs(12, 2_000),
    );
  },
);

/** What a service could return although no request creates it: by name, the lists of a fleet. */
const FLEETS = readFileSync(new URL("odd-fleets.tsv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t") as [name: string, lists: string]);

describe.each(["json", "yaml"] as const)("an export in %s", (notation) => {
  test.each(sampled(FLEETS, 4, notation.length))(
    "is planned without a difference, whatever the service returns: %s",
    async (_name, lists) => {
      const live = liveFleet(parseJson(lists) as Lists);
      const document = fleetDocument(live, { notation, showUrls: false });
      const text = notation === "json" ? prettyJson(document) : await yamlText(document);
      const file = `fleet.${notation}`;
      const { plan } = await compared(await readFleetFiles([file], memorySources({ [file]: text })), live);
      expect(plan).toMatchObject({ changes: [], cannot: [], outside: [], unmanaged: [] });
    },
  );
});

const COMMENT = "# kept by hand";

async function fileOf(live: LiveFleet, notation: "json" | "yaml"): Promise<string> {
  const document = fleetDocument(live, { notation, showUrls: false });
  if (notation === "json") return prettyJson(document);
  return (await yamlText(document)).replaceAll(/^\w+:/gm, `${COMMENT}\n$&`);
}

test.each(["json", "yaml"] as const)(
  "after an update of any file in %s by any service, a plan finds no difference, and nothing else changes",
  async (notation) => {
    const path = `fleet.${notation}`;
    await fc.assert(
      fc.asyncProperty(liveFleets, liveFleets, async (before, after) => {
        const files: Record<string, string> = { [path]: await fileOf(before, notation) };
        const service = serviceOf(after);
        await ends({ exitCode: 0, stdout: "", writes: [] }, `export -f ${path}`, { files, service });
        const text = files[path];
        expect(text).not.toContain(CANARY);
        expect(text?.match(new RegExp(`^${COMMENT}$`, "gm"))?.length).toBe(notation === "yaml" ? 5 : undefined);
        const plan = await exits(0, `plan -f ${path} -o json`, { files, service });
        expect(JSON.parse(plan.stdout)).toMatchObject({ outside: [], unmanaged: [] });
        const second = await cli(`export -f ${path}`, { files, service });
        expect(second.stderr).toContain(`${path} is up to date\n`);
        expect(files[path]).toBe(text);
      }),
      runs(5, 500),
    );
  },
);
