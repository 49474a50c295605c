import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseJson, prettyJson } from "../../../src/contract/json.ts";
import { readFleet } from "../../../src/fleet/config/read-fleet.ts";
import { fleetDocument } from "../../../src/fleet/export/fleet-document.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { sampled } from "../../helpers/deep.ts";
import { compared, type Lists, liveFleet } from "../../helpers/fleet.ts";
import { memorySources } from "../fleet-files.ts";

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
      const { plan } = await compared(await readFleet([file], memorySources({ [file]: text })), live);
      expect(plan).toMatchObject({ changes: [], cannot: [], outside: [], unmanaged: [] });
    },
  );
});
