import { cli, exits, SERVER, says, TOKEN } from "../../helpers/cli.ts";
import { refusal, reply } from "../../helpers/service/reply.ts";
import { writtenService } from "../../helpers/service/written.ts";

const world = { service: writtenService("server") };
const unready = { service: writtenService("server-unready") };

describe("server health", () => {
  test("prints the response, and exits with 0 only for OK", async () => {
    expect(await cli("server health", world)).toMatchObject({ exitCode: 0, stdout: "health\tOK\n", stderr: "" });
    expect((await cli("server health -o json", world)).stdout).toBe('{\n  "health": "OK"\n}\n');
    expect((await cli("server health -o raw", world)).stdout).toBe("OK");
    expect((await cli("server health", { ...world, terminal: true })).stdout).toContain("OK");
  });

  test("exits with 13 for another response", async () => {
    const service = async () => reply(200, "<html>welcome</html>");
    const { exitCode, stdout, stderr } = await cli("server health", { service });
    expect({ exitCode, stdout }).toEqual({ exitCode: 13, stdout: "health\t<html>welcome</html>\n" });
    expect(stderr).toContain("responds, but not with OK");
  });
});

describe("server ready", () => {
  test("shows each component of the service", async () => {
    const { stdout } = await exits(0, "server ready", { ...world, terminal: true });
    expect(stdout).toMatchInlineSnapshot(`
      "[2mready[22m     [32myes[39m
      [2mstatus[22m    [32mhealthy[39m
        [2msystem[22m    [32mhealthy[39m
        [2mredis[22m     [32mhealthy[39m
        [2mqueue[22m     [32mhealthy[39m
      [2mas of[22m     2026-11-21 01:38:36Z, 1 hour ago
      "
    `);
  });

  test("prints the response, shows the cause, makes one request, and exits with 13 if not ready", async () => {
    const { stdout, stderr, requests } = await exits(13, "server ready -o json --retries 5", unready);
    expect(JSON.parse(stdout)).toMatchObject({ ready: false, status: "unhealthy" });
    const { error } = JSON.parse(stderr);
    expect(error.code).toBe("unmet");
    expect(error.message).toContain("the service is not ready: Redis connection failed");
    expect(requests).toHaveLength(1);
    expect((await cli("server ready", unready)).stderr).toContain("redis: unhealthy: primary pool: timed out");
  });

  test.each([
    [503, "upstream connect error", 9],
    [503, '{"error":"no"}', 9],
    [200, "<html>welcome</html>", 9],
    [200, "<html>sign in</html>", 4],
    [200, "{}", 9],
    [404, "", 7],
  ])("rejects an invalid response: %d %s", async (status, body, exitCode) => {
    const { exitCode: ended, stdout } = await cli("server ready --retries 0", {
      service: async () => reply(status, body),
    });
    expect({ ended, stdout }).toEqual({ ended: exitCode, stdout: "" });
  });
});

describe("public requests", () => {
  const PUBLIC = ["server health", "server ready"];

  test.each(PUBLIC)("%s sends and needs no token", async (line) => {
    const { requests } = await exits(0, line, { ...world, env: { RELAYCTL_SERVER: SERVER } });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect((await cli(line, world)).requests[0]?.headers.authorization).toBeUndefined();
  });

  test.each(["--dry-run", "--curl"])("show no token with %s", async (how) => {
    expect((await cli(`server health ${how}`, world)).stdout).not.toMatch(/authorization/i);
  });

  test("are repeated with the token if a service before v1.4 requires it", async () => {
    const service: typeof world.service = async (request, limits) =>
      request.headers.authorization === `Bearer ${TOKEN}`
        ? await world.service(request, limits)
        : refusal(401, "Unauthorized");
    const { exitCode, requests } = await cli("server health", { service });
    expect({ exitCode, asked: requests.length }).toEqual({ exitCode: 0, asked: 2 });
    const without = await exits(4, "server health", { service, env: { RELAYCTL_SERVER: SERVER } });
    expect(without.stderr).toContain("no token is configured");
    expect(without.stderr).not.toContain("nothing was sent");
    expect(without.requests).toHaveLength(1);
  });

  test("run no token command if none is needed", async () => {
    const config = {
      version: 1 as const,
      current: "prod",
      contexts: { prod: { server: SERVER, token_command: ["false"] } },
    };
    expect((await cli("server health", { ...world, env: {}, config })).exitCode).toBe(0);
  });
});

describe("server metrics", () => {
  test("lists metric names, one per line", async () => {
    const { stdout } = await cli("server metrics", world);
    expect(stdout).toBe(
      "in_flight_requests\nraw_requests_total\nrequest_latency_seconds\nrequests_total\nworker_threads\n",
    );
    expect(JSON.parse((await cli("server metrics -o json", world)).stdout)).toHaveLength(5);
    expect((await cli("server metrics -o name", world)).stdout).toBe(stdout);
    expect((await cli("server metrics", { ...world, terminal: true })).stdout).toContain("worker_threads");
  });

  test("prints one or all metrics in the Prometheus format", async () => {
    expect((await cli("server metrics requests_total", world)).stdout).toContain('status="200"} 12\n');
    expect((await cli("server metrics --all", world)).stdout).toBe("# TYPE worker_threads gauge\nworker_threads 4\n");
  });

  test("prints metrics as one string in other formats", async () => {
    const text = (await cli("server metrics requests_total", world)).stdout;
    expect(JSON.parse((await cli("server metrics requests_total -o json", world)).stdout)).toBe(text);
    expect(JSON.parse((await cli("server metrics requests_total -o ndjson", world)).stdout)).toBe(text);
    expect((await cli("server metrics --all -o csv", world)).stdout).toContain("worker_threads 4\\n");
    expect((await cli("server metrics requests_total -o raw", world)).stdout).toBe(text);
  });

  test.each([
    ["text/html", "worker_threads 4\n"],
    ["application/json", '{"status":"ok"}'],
    ["text/plain", "<html>welcome</html>"],
  ])("rejects responses that are not metrics text: %s", async (type, body) => {
    const service = async () => reply(200, body, { "content-type": type });
    for (const line of ["requests_total", "--all"])
      await says({ exitCode: 9, stdout: "" }, `server metrics ${line} --retries 0`, "not metrics text", { service });
  });

  test("exits with 5 for an unknown metric", () => says(5, "server metrics zz", "Metric not found", world));

  test("requires the token", async () =>
    expect(await cli("server metrics", { ...world, env: { RELAYCTL_SERVER: SERVER } })).toMatchObject({
      exitCode: 4,
      requests: [],
    }));

  test.each([
    ["zz --all", "--all: cannot be combined"],
    ["..", "would change the path"],
  ])("rejects %s", (line, rule) => says({ exitCode: 2, requests: [] }, `server metrics ${line}`, rule, world));

  test("rejects a response that is not a list of names", async () =>
    expect((await cli("server metrics --retries 0", { service: async () => reply(200, "<html>") })).exitCode).toBe(9));
});
