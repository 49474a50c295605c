import { cli, ends, exited, exitedSaying, exits, printedError, SERVER, says, TOKEN } from "../../helpers/cli.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { appliedIn, CANNOT_UNDO, UNDO } from "../../helpers/receipts.ts";
import { reply, success } from "../../helpers/service/reply.ts";
import { lost, scriptedService } from "../../helpers/service/scripted-service.ts";
import { writtenService } from "../../helpers/service/written.ts";

const world = { service: writtenService("plugins") };

describe("plugins list and get", () => {
  test("show a line per plugin", async () =>
    expect((await cli("plugins list", { ...world, terminal: true })).stdout).toMatchInlineSnapshot(`
      "[2mID[22m         [2mTIMEOUT[22m  [2mGET[22m  [2mLOGS[22m  [2mPATH[22m
      old           30 s  [2m–[22m    [2m–[22m     plugins/old.ts
      plain        300 s  no   yes   plugins/plain.ts
      rebalance    300 s  yes  no    plugins/rebalance/index.ts
      "
    `));

  test("print documented columns, empty for fields that an older service lacks", async () =>
    expect((await cli("plugins list", world)).stdout.split("\n")[0]).toBe("old\tplugins/old.ts\t30\t\t\t\t\t"));

  test("show one plugin", async () =>
    expect((await cli("plugins get rebalance", { ...world, terminal: true })).stdout).toMatchInlineSnapshot(`
      "[2mid[22m                      rebalance
      [2mpath[22m                    plugins/rebalance/index.ts
      [2mtimeout[22m                 300 s
      [2memit logs[22m               no
      [2memit traces[22m             no
      [2mraw response[22m            no
      [2mallow get invocation[22m    yes
      [2mforward logs[22m            no
      [2mconfig[22m                  {"network":"base"}
      "
    `));

  test("exit with 5 for an unknown plugin, with the service's message", () =>
    says(5, "plugins get zz", "Plugin with id zz not found", world));

  test("find a plugin in the list of a service before v1.4", () =>
    ends({ exitCode: 0, stdout: "old\n" }, "plugins get old -o name", world));
});

describe("plugins update", () => {
  test("changes the specified fields, with the timeout in seconds", async () => {
    const { stderr, writes } = await exits(0, "plugins update rebalance --plugin-timeout 1m --emit-logs --diff", world);
    expect(writes[0]?.body).toBe('{"timeout":60,"emit_logs":true}');
    expect(stderr).toContain(`${appliedIn("http://127.0.0.1:8080")}rebalance timeout 300 s → 60 s, emit_logs no → yes`);
    expect(stderr).toContain(`${UNDO}relayctl plugins update rebalance --plugin-timeout 300s --no-emit-logs`);
    expect(stderr).not.toContain("not confirmed");
  });

  test("replaces the config from a file, and reports only the names", async () => {
    const files = { "config.json": '{"network":"mainnet"}' };
    const { stderr, writes } = await cli("plugins update rebalance --config config.json --diff", { ...world, files });
    expect(writes[0]?.body).toBe('{"config":{"network":"mainnet"}}');
    expect(stderr).toContain("config with network → with network");
    expect(stderr).toContain(`${CANNOT_UNDO}: a config can only be set from a file`);
  });

  test("has an undo command that empties a first config", async () => {
    const files = { "config.json": '{"network":"mainnet"}' };
    const { stderr } = await cli("plugins update plain --config config.json --diff", { ...world, files });
    expect(stderr).toContain(`${UNDO}relayctl plugins update plain --no-config`);
  });

  test("empties the config with an empty object, since null would change nothing", async () =>
    expect((await cli("plugins update rebalance --no-config", world)).writes[0]?.body).toBe('{"config":{}}'));

  test("sends nothing if everything is already set", async () => {
    const { stderr, writes } = await cli("plugins update rebalance --plugin-timeout 300s --no-emit-logs --diff", world);
    expect(writes).toEqual([]);
    expect(stderr).toContain("rebalance: already set; nothing was sent");
  });

  test("keeps the service's message of a refusal", async () => {
    await says(7, "plugins update rebalance --emit-traces", "Timeout must be greater than 0", world);
    expect((await cli("plugins update zz --emit-logs", world)).exitCode).toBe(5);
  });

  test.each([
    ["", "nothing to change; specify a field"],
    ["--plugin-timeout 30", "--plugin-timeout 30: needs a unit"],
    ["--plugin-timeout 0s", "Timeout must be greater than 0"],
    ["--plugin-timeout 1500ms", "must be in whole seconds"],
    ["--config missing.json", "missing.json"],
    ["--emit-logs --no-emit-logs", "--emit-logs"],
  ])("rejects %s before any request", (flags, rule) =>
    says({ exitCode: 2, requests: [] }, `plugins update rebalance ${flags}`, rule, world),
  );

  test.each([
    ['{"timeout":0}', "Timeout must be greater than 0"],
    ['{"timeout":"30"}', "Timeout must be greater than 0, in whole seconds"],
    ['{"config":null}', "config"],
    ['{"emit_logs":1}', "true or false"],
    ['{"path":"x"}', "has an unknown field: path"],
  ])("rejects a file with %s", (stdin, rule) =>
    says({ exitCode: 2, requests: [] }, "plugins update rebalance -f -", rule, { ...world, stdin }),
  );
});

describe("plugins call", () => {
  const call = (line: string, stdin?: string) =>
    cli(`plugins call ${line} --yes`, { ...world, ...(stdin !== undefined && { stdin }) });

  test("prints the result with every digit, and escaped logs and traces on stderr", async () => {
    const { stdout, stderr } = await exited(
      0,
      call("rebalance -f - -o json", '{"params":{"amount":12345678901234567890}}'),
    );
    expect(stdout).toBe(
      '{\n  "moved": 12345678901234567890,\n  "to": "0x8ba1f109551bd432803012645ac136ddd64dba72"\n}\n',
    );
    expect(stderr).toMatchInlineSnapshot(`
      "plugin info: moving
      plugin warn: slow\\u{1b}[2J
      plugin trace: {"method":"sendTransaction","id":1}
      called in http://127.0.0.1:8080: plugin rebalance, status 200
      "
    `);
  });

  test("prints no logs and traces with --quiet", async () =>
    expect((await call("rebalance -f - -q", '{"params":{"amount":12345678901234567890}}')).stderr).toBe(""));

  test.each([
    ["rebalance", "POST", "/api/v1/plugins/rebalance/call", "done\n"],
    ["rebalance /v1/quote", "POST", "/api/v1/plugins/rebalance/call/v1/quote", "1\n2\n"],
    ["rebalance --get", "GET", "/api/v1/plugins/rebalance/call", "got\ttrue\n"],
    [
      "rebalance quote --get --parameter a=b%20=c --parameter __proto__=d",
      "GET",
      "/api/v1/plugins/rebalance/call/quote?a=b%2520%3Dc&__proto__=d",
      "price\t1.5\n",
    ],
  ])("%s sends %s %s", async (line, method, target, stdout) => {
    const ran = await call(line);
    expect(ran.requests.map((request) => `${request.method} ${request.target}`)).toEqual([`${method} ${target}`]);
    expect(ran).toMatchObject({ exitCode: 0, stdout });
  });

  test("accepts any JSON, not only objects", async () => {
    const service = async () => success('"ok"');
    for (const stdin of ["[1,2]", '"text"', "5", "null"]) {
      const { writes, exitCode } = await cli("plugins call p -f - --yes", { service, stdin });
      expect([exitCode, writes[0]?.body]).toEqual([0, stdin]);
    }
  });

  test("prints a raw response unchanged", async () =>
    expect((await call("plain -f - -o json", '{"raw":true}')).stdout).toBe('{\n  "bare": [\n    1,\n    2\n  ]\n}\n'));

  test("prints the response with -o raw", async () =>
    expect((await call("rebalance -o raw")).stdout).toBe('{"success":true,"data":"done","error":null}'));

  test("prints the plugin's ID with -o name", async () =>
    expect((await call("rebalance -o name")).stdout).toBe("rebalance\n"));

  test("reads the responses of services before v1.2, including logs", async () => {
    const { stdout, stderr } = await call("old -o json");
    expect(JSON.parse(stdout)).toMatchObject({ return_value: "42" });
    expect(stderr).toContain("plugin log: hello");
  });

  describe("a failed plugin may have had effects", () => {
    test.each([
      ['{"fail":"handler"}', 422, "amount too low", { code: "LOW", details: { least: 5 } }],
      ['{"fail":"timeout"}', 504, "Plugin execution timed out after 300 seconds", { code: "TIMEOUT" }],
      ['{"raw":"fail"}', 418, '{"code":"TEAPOT"}', { code: "TEAPOT" }],
    ])("%s: keeps the plugin's status %d, message, and data", async (stdin, status, words, data) => {
      const { stdout, stderr, requests } = await exited(11, call("plain -f - -o json", stdin));
      expect(JSON.parse(stdout)).toEqual(data);
      const error = printedError(stderr);
      expect(error).toMatchObject({ applied: "unknown", retryable: false, http: { status } });
      expect(error.message).toContain(words);
      expect(requests).toHaveLength(1);
    });

    test.each(['{"code":"BUSY"}', "{}", '"busy"', '{"error":"slow down","details":[1]}'])(
      "a 429 from the plugin itself does not repeat the call: %s",
      async (body) => {
        const service = scriptedService({ reply: reply(429, body, { "content-type": "application/json" }) });
        const { stdout, stderr } = await exits(11, "plugins call p1 --yes -o json", { service: service.transport });
        expect(JSON.parse(stdout)).toEqual(JSON.parse(body));
        expect(stderr).toContain("plugin p1 failed");
        expect(service.asked()).toHaveLength(1);
      },
    );

    test("prints the plugin's logs", async () =>
      expect((await call("plain -f -", '{"fail":"handler"}')).stderr).toContain("plugin error: too low"));

    test("reports the plugin's status", async () => {
      const { stderr } = await call("plain -f -", '{"fail":"handler"}');
      expect(stderr).toContain("plugin plain failed with status 422: amount too low");
    });

    test.each([
      ['{"fail":"crash"}', "plain", "500"],
      ['{"fail":"handler timeout"}', "plain", "504"],
    ])("%s: without a message of the plugin, the outcome is unknown", async (stdin, id, status) => {
      const { stderr, requests } = await exited({ exitCode: 11, stdout: "" }, call(`${id} -f -`, stdin));
      expect(stderr).toContain(`the service responded with ${status}`);
      expect(requests).toHaveLength(1);
    });

    test.each(["plugins call plain -f -", "api POST /plugins/plain/call -f -", "api POST /plugins/plain/call;a -f -"])(
      "is unknown in the journal, too: %s",
      async (line) => {
        const journal = memoryJournal();
        const config = { version: 1 as const, contexts: { prod: { server: SERVER, token: TOKEN } } };
        const service = async () => reply(422, '{"success":false,"error":"low","data":{"code":"LOW"}}');
        const stored = { service, env: {}, config, journal, stdin: "{}" };
        const { stderr } = await exits(11, `${line} --yes -c prod`, stored);
        expect(stderr).toContain("hint: relayctl -c prod plugins get plain\n");
        expect(journal.entries.at(-1)).toMatchObject({ applied: "unknown", failure: "unknown" });
        // Nothing that is read later shows the effects of a plugin.
        await exits(0, "history settle -c prod", stored);
      },
    );

    test("on a service before v1.2, which reports the failure with status 200", () =>
      exitedSaying({ exitCode: 11, stdout: "" }, call("old -f -", '{"fail":true}'), "plugin old failed: it broke"));
  });

  describe("a call that the service refuses was not made", () => {
    test.each([
      ["zz", 5, "Plugin with id zz not found"],
      ["plain --get", 7, "GET requests are not enabled for this plugin"],
      ["plain nowhere", 7, "it was added in v1.4"],
    ])("%s: exits with %d", (line, exitCode, words) => exitedSaying(exitCode, call(line), words));

    test.each([
      [
        "application/json",
        '{ "success": false, "code":429, "error": "TooManyRequests", "message": "Too Many Requests", "after": 0}',
      ],
      ["text/plain; charset=utf-8", '{"error":"Too many concurrent requests","max_concurrent":100}'],
    ])("a rate limit of the service, as %s, causes a retry", async (type, body) => {
      const limited = { reply: reply(429, body, { "content-type": type }) };
      const service = scriptedService(limited, { reply: success('"ok"') });
      const { exitCode } = await cli("plugins call p1 --yes", { service: service.transport });
      expect([exitCode, service.left()]).toEqual([0, 0]);
    });

    test("a rate limit of a gateway causes none: the gateway may have passed the call on", async () => {
      const service = scriptedService({ reply: reply(429, "<html>slow down</html>", { "content-type": "text/html" }) });
      expect(await cli("plugins call p1 --yes", { service: service.transport })).toMatchObject({ exitCode: 8 });
    });

    test("a busy service exits with 8, its message, and applied no", async () => {
      const { stderr } = await exited(8, call("plain -f - --retries 0 -o json", '{"limit":true}'));
      expect(printedError(stderr)).toMatchObject({ applied: "no" });
    });
  });

  test.each(["p1", "p1 --get", "p1 route --get"])("a call is never sent twice: %s", async (line) => {
    const service = scriptedService({ failure: lost() });
    const { stderr } = await exits(11, `plugins call ${line} --yes --retries 5`, { service: service.transport });
    expect(service.asked()).toHaveLength(1);
    expect(stderr).toContain("relayctl plugins get p1");
  });

  test.each(["plugins call p1 route --get", "api GET /plugins/p1/call/route", "api GET /plugins/p1/caller;v=1"])(
    "a call that is not found is not sent again: %s",
    async (line) => {
      const service = scriptedService({ reply: reply(404, "{}") });
      await cli(`${line} --yes --retries 5`, { service: service.transport });
      expect(service.asked()).toHaveLength(1);
    },
  );

  test.each(["call", "call/a", "call;v=1", "callback", "%63all.json", "calls/1"])(
    "GET of %s requires confirmation, since the service runs the plugin",
    async (path) => {
      await ends({ exitCode: 3, requests: [] }, `api GET /plugins/rebalance/${path}`, world);
    },
  );

  test("a call can't be paginated, which would send it for each page", async () => {
    const path = "/plugins/rebalance/callback";
    await ends({ exitCode: 2, requests: [] }, `api GET ${path} --paginate --yes`, world);
  });

  test("GET of a plugin is sent at once", async () => {
    await ends({ exitCode: 0 }, "api GET /plugins/rebalance", world);
  });

  describe("before a call", () => {
    test("asks, and warns that the plugin's effects are unknown", async () => {
      const { stderr } = await ends({ exitCode: 3, requests: [] }, "plugins call rebalance", {
        ...world,
        terminal: true,
        answers: [false],
      });
      expect(stderr).toContain("a plugin can do anything, including sending transactions");
    });

    test.each([
      [
        "rebalance /quote -f to.json --parameter a=1",
        "POST /api/v1/plugins/rebalance/call/quote?a=1",
        '  {"to":"0x1"}\n',
      ],
      [
        "rebalance quote --get --parameter a=1",
        "GET /api/v1/plugins/rebalance/call/quote?a=1",
        "a plugin can do anything",
      ],
    ])("shows the request and its body: %s", async (line, target, next) => {
      const terminal = { ...world, terminal: true, answers: [false] };
      const { stderr } = await cli(`plugins call ${line} `, { ...terminal, files: { "to.json": '{"to":"0x1"}' } });
      expect(stderr).toContain(`call plugin rebalance with ${target} in http://127.0.0.1:8080\n${next}`);
    });

    test("requires confirmation, even for GET", async () => {
      const { stderr } = await ends({ exitCode: 3, requests: [] }, "plugins call rebalance --get", world);
      expect(stderr).toContain("calling a plugin requires confirmation");
    });

    test.each([
      ["rebalance --get -f -", "a GET request has no body"],
      ["rebalance --parameter a", "needs a name and a value"],
      ["rebalance --parameter a=1 --parameter a=2", "specified twice"],
      ["rebalance a/../b", "one part of it would change the path"],
      ["rebalance a//b", "one part of it is empty"],
    ])("rejects %s", (line, rule) => exitedSaying({ exitCode: 2, requests: [] }, call(line, "{}"), rule));

    test("rejects a body of more than 262,144 bytes", async () => {
      const service = async () => success('"ok"');
      const of = (bytes: number) => JSON.stringify("é".repeat((bytes - 2) / 2));
      await exits(0, "plugins call p -f - --yes", { service, stdin: of(262_144) });
      const more = await cli("plugins call p -f - --yes", { service, stdin: of(262_146) });
      expect(more).toMatchObject({ exitCode: 2, requests: [] });
      expect(more.stderr).toContain("is 262146 bytes of JSON; a plugin takes 262144 at most");
    });
  });
});
