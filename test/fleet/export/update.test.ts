import fc from "fast-check";
import { expect, test } from "vitest";
import { prettyJson } from "../../../src/contract/json.ts";
import { fleetDocument } from "../../../src/fleet/export/fleet-document.ts";
import type { LiveFleet } from "../../../src/fleet/live.ts";
import { yamlText } from "../../../src/terminal/formats/yaml.ts";
import { cli } from "../../helpers/cli.ts";
import { runs } from "../../helpers/deep.ts";
import { CANARY, liveFleets } from "./live-fleets.ts";
import { serviceOf } from "./live-service.ts";

const COMMENT = "# kept by hand";

/** Returns an export, in YAML with a comment above each list. */
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
        const first = await cli(`export -f ${path}`, { files, service });
        expect(first).toMatchObject({ exitCode: 0, stdout: "", writes: [] });
        const text = files[path];
        expect(text).not.toContain(CANARY);
        expect(text?.match(new RegExp(`^${COMMENT}$`, "gm"))?.length).toBe(notation === "yaml" ? 5 : undefined);
        const plan = await cli(`plan -f ${path} -o json`, { files, service });
        expect(plan.exitCode, plan.stdout).toBe(0);
        expect(JSON.parse(plan.stdout)).toMatchObject({ outside: [], unmanaged: [] });
        const second = await cli(`export -f ${path}`, { files, service });
        expect(second.stderr).toContain(`${path} is up to date\n`);
        expect(files[path]).toBe(text);
      }),
      runs(5, 2000),
    );
  },
);
