import fc from "fast-check";
import { expect, test } from "vitest";
import { prettyJson } from "../../../src/contract/json.ts";
import { fleetDocument } from "../../../src/fleet/export/fleet-document.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { runs } from "../../helpers/deep.ts";
import { compared } from "../../helpers/fleet.ts";
import { fleetOf } from "../fleet-files.ts";
import { CANARY, liveFleets } from "./live-fleets.ts";

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
      runs(12, 5000),
    );
  },
);
