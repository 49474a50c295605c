import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../helpers/cli.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");
const isBuilt = process.env.RELAYCTL_MONITORING === "1";
const whyNot = isBuilt ? "" : " (skipped: npm run test:monitoring builds the validators)";

function read(command: string, args: readonly string[], input = ""): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", input });
  if (error) throw error;
  return status === 0 ? "" : `${stdout}${stderr}`;
}

const validate = (kind: string, text: string) => read("relayctl-validate", [kind], text);
const stdoutOf = async (line: string) => (await cli(line)).stdout;

function checkRoutes(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-routes-"));
  try {
    writeFileSync(join(folder, "alertmanager.yml"), text);
    return read("amtool", ["check-config", join(folder, "alertmanager.yml")]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function grafanaRules(): Promise<string> {
  const { groups } = JSON.parse(
    await stdoutOf("alerts --for grafana-alerts -o json --warn balance<1eth --crit pending>5"),
  );
  // A file to provision has these for the whole group.
  const [{ orgId: orgID, folder: folderUID, name: ruleGroup, rules }] = groups;
  return JSON.stringify(rules.map((rule: object) => ({ ...rule, orgID, folderUID, ruleGroup })));
}

describe.skipIf(!isBuilt)(`files for other systems${whyNot}`, () => {
  test("the dashboard and the rules have the members of Grafana's types, and no others", async () => {
    const dashboard = await stdoutOf("alerts --for grafana");
    expect(validate("Dashboard", dashboard)).toBe("");
    expect(validate("Dashboard", dashboard.replace("showValue", "showVal"))).toContain("unexpected field 'showVal'");
    const rules = await grafanaRules();
    expect(validate("Rules", rules)).toBe("");
    expect(validate("Rules", rules.replace("noDataState", "noData"))).toContain("noData");
  });

  test("Alertmanager takes the routes", async () => {
    const routes = await stdoutOf("alerts --for alertmanager");
    expect(checkRoutes(routes)).toBe("");
    expect(checkRoutes(routes.replace("receivers", "receiver"))).toContain("field receiver not found");
  });

  test("Kubernetes, the Prometheus Operator, and Compose know each member of what is in deploy/", () => {
    const manifests = readFileSync(join(DEPLOY, "kubernetes/exporter.yaml"), "utf8").split("\n---\n");
    for (const [index, kind] of ["Deployment", "Service", "ServiceMonitor"].entries()) {
      expect(validate(kind, manifests[index] ?? "")).toBe("");
      expect(validate(kind, `${manifests[index]}\nspecs: {}\n`)).toContain("specs");
    }
    const compose = readFileSync(join(DEPLOY, "compose.yaml"), "utf8");
    expect(validate("Compose", compose)).toBe("");
    expect(validate("Compose", compose.replace("read_only", "readonly"))).toContain("readonly");
  });
});
