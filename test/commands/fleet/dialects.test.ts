import { readFileSync } from "node:fs";
import { blocksOf } from "../../e2e/guide.ts";
import { cli, ends, exits } from "../../helpers/cli.ts";
import { realService } from "../../helpers/service/real-service.ts";

const SHIPPED = { "config.json": readFileSync("docs/examples/fleet/config.json", "utf8") };

test("the shipped file differs from the demo fleet in the same places in both dialects of serve", async () => {
  const line = "plan -f config.json";
  const asInterface = await cli(line, { files: SHIPPED });
  const asReal = await exits(20, line, { files: SHIPPED, service: realService() });
  expect(asReal.stdout).toBe(asInterface.stdout);
  expect(asReal.stderr).toBe(asInterface.stderr);
  expect(asReal.stderr).toContain("6 values not compared: the service does not return them\n");
});

test("the YAML of the guide describes what the demo fleet has", async () => {
  const [example] = blocksOf("docs/guides/fleet.md", "yaml").filter(({ text }) => text.startsWith("notifications:"));
  const files = { "fleet.yaml": example?.text ?? "", "rpc-key.txt": "5b2f8c1d7a904e63\n" };
  const env = { OPS_HOOK_KEY: "demo-signing-key-of-the-ops-hook-0001" };
  const { stderr } = await ends({ exitCode: 0, stdout: "" }, "--demo plan -f fleet.yaml", { files, env });
  expect(stderr).toContain(
    "fleet.yaml matches the service: 2 resources (2 hidden values not compared; -o json lists them)\n",
  );
});
