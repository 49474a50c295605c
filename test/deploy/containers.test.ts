import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { VERSION } from "../../src/version.ts";
import { cli } from "../helpers/cli.ts";

const DEPLOY = join(import.meta.dirname, "../../deploy");
const [deployment, service, monitor] = parseAllDocuments(
  readFileSync(join(DEPLOY, "kubernetes/exporter.yaml"), "utf8"),
  {
    merge: true,
  },
).map((document) => {
  expect(document.errors).toEqual([]);
  return document.toJS();
});
const compose = parse(readFileSync(join(DEPLOY, "compose.yaml"), "utf8"));
const pod = deployment.spec.template.spec;
const [container] = pod.containers;

/** Runs the exporter as a container does, with files in place of the secrets. */
async function exporterOf(args: readonly string[], env: Record<string, string>) {
  const files = Object.fromEntries(
    args.filter((word) => word.startsWith("/")).map((path) => [path, "0123456789abcdef0123456789abcdef"]),
  );
  return await cli(args.join(" "), { env: { ...env, RELAYCTL_SERVER: "https://relayer.example.org" }, files });
}

const SERVED = "metrics on https://0.0.0.0:9464/metrics, for scrapes with the token; press Ctrl-C to stop";

describe("the manifests for Kubernetes", () => {
  test("are a Deployment, a Service, and a ServiceMonitor that fit together", () => {
    const kinds = [deployment, service, monitor].map(({ apiVersion, kind, metadata: { name } }) => [
      apiVersion,
      kind,
      name,
    ]);
    expect(kinds).toEqual([
      ["apps/v1", "Deployment", "relayctl-exporter"],
      ["v1", "Service", "relayctl-exporter"],
      ["monitoring.coreos.com/v1", "ServiceMonitor", "relayctl-exporter"],
    ]);
    const { labels } = deployment.spec.template.metadata;
    for (const selector of [deployment.spec.selector.matchLabels, service.spec.selector])
      expect(selector).toEqual(labels);
    expect(monitor.spec.selector.matchLabels).toEqual(service.metadata.labels);
    expect(container.ports).toEqual([{ name: "metrics", containerPort: 9464 }]);
    expect(service.spec.ports).toEqual([{ name: "metrics", port: 9464, targetPort: "metrics" }]);
    expect(monitor.spec.endpoints[0]).toMatchObject({ port: "metrics", scheme: "https" });
  });

  test("start the exporter in read-only mode, with a command line that relayctl takes", async () => {
    expect(container.image).toBe(`registry.example.org/relayctl:${VERSION}`);
    const env = Object.fromEntries(
      container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    expect(env.RELAYCTL_READONLY).toBe("1");
    const ran = await exporterOf(container.args, env);
    expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining(SERVED)]);
  });

  test("check a path that takes no token, over HTTPS", () => {
    for (const probe of [container.livenessProbe, container.readinessProbe])
      expect(probe.httpGet).toEqual({ path: "/healthz", port: "metrics", scheme: "HTTPS" });
  });

  test("run without rights, on a file system that cannot be written", () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  test("have every secret by reference: each file is in a volume of one", () => {
    const volumes = new Map<string, string>(
      pod.volumes.map((volume: { name: string; secret: { secretName: string } }) => [
        volume.name,
        volume.secret.secretName,
      ]),
    );
    const mounts: { name: string; mountPath: string; readOnly: boolean }[] = container.volumeMounts;
    for (const path of container.args.filter((word: string) => word.startsWith("/"))) {
      const mount = mounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
      expect([path, mount?.readOnly, volumes.has(mount?.name ?? "")]).toEqual([path, true, true]);
    }
    const [{ authorization, tlsConfig }] = monitor.spec.endpoints;
    expect(authorization.credentials).toEqual({ name: volumes.get("scrape"), key: "token" });
    expect(tlsConfig.ca.secret).toEqual({ name: volumes.get("tls"), key: "ca.crt" });
  });
});

describe("the compose file", () => {
  const { exporter } = compose.services;

  test("starts the exporter in read-only mode, with a command line that relayctl takes", async () => {
    expect([exporter.image, exporter.environment.RELAYCTL_READONLY]).toEqual([`localhost/relayctl:${VERSION}`, "1"]);
    const ran = await exporterOf(exporter.command, { RELAYCTL_READONLY: "1" });
    expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining(SERVED)]);
  });

  test("runs without rights, reads its secrets from files, and is reached from this machine only", () => {
    expect(exporter).toMatchObject({
      user: "65532:65532",
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      ports: ["127.0.0.1:9464:9464"],
    });
    const named = exporter.command
      .filter((word: string) => word.startsWith("/"))
      .map((path: string) => path.split("/").at(-1));
    expect(named).toEqual(exporter.secrets);
    expect(Object.keys(compose.secrets)).toEqual(exporter.secrets);
  });
});

const UNIT = join(import.meta.dirname, "../../deploy/systemd/relayctl-exporter.service");
const unit = readFileSync(UNIT, "utf8");
const isThere = spawnSync("systemd-analyze", ["--version"]).status === 0;

test("the unit starts the exporter in read-only mode, with a command line that relayctl takes", async () => {
  const line = /^ExecStart=\/usr\/bin\/relayctl (.*)$/m.exec(unit)?.[1] ?? "";
  const typed = line.replace("%d/token", "token");
  const ran = await cli(typed, {
    env: { RELAYCTL_READONLY: "1", RELAYCTL_SERVER: "http://127.0.0.1:8080" },
    files: { token: "0123456789abcdef0123456789abcdef" },
  });
  expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining("metrics on http://127.0.0.1:9464/metrics")]);
  expect(unit).toContain("Environment=RELAYCTL_READONLY=1");
});

test.skipIf(!isThere)("systemd takes the unit without a warning", () => {
  const folder = mkdtempSync(join(tmpdir(), "relayctl-unit-"));
  try {
    const path = join(folder, "relayctl-exporter.service");
    writeFileSync(path, unit.replace("/usr/bin/relayctl", "/bin/true"));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", path], { encoding: "utf8" });
    const about = stderr.split("\n").filter((text) => text.includes("relayctl-exporter"));
    expect([status, about]).toEqual([0, []]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
