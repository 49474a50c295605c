import { get } from "node:https";
import type { App } from "../../../../src/app.ts";
import type { ReceiverReply } from "../../../../src/contract/webhook/receiver.ts";
import { receiveRequests } from "../../../../src/embedded-server/receive.ts";
import { createAuthority } from "../../../faults/server/certificates.ts";
import { cli, exited } from "../../../helpers/cli.ts";
import { DEEP } from "../../../helpers/deep.ts";
import { refusal, success, wholeList } from "../../../helpers/service/reply.ts";
import { steppedClock } from "../../../helpers/stepped-clock.ts";
import { familiesIn, type Sample, samplesIn, samplesOf } from "./exposition.ts";

const FAMILY =
  /^# HELP (?<name>[a-z_]+) (?<help>(?:[^\\"\n]|\\[\\"n])+)\n# TYPE (?<typed>[a-z_]+) (?<type>\w+)\n(?<lines>[^#]+)$/;
/** What follows the name of a family in its samples. */
const SUFFIXES: Readonly<Record<string, string>> = { gauge: "", info: "_info", counter: "_total", unknown: "" };

/** Parses OpenMetrics 1.0 as far as gauges, infos, and counters need it, and its end. */
function openMetricsIn(text: string): Sample[] {
  if (!text.endsWith("\n# EOF\n")) throw new Error("no end");
  const families = text.slice(0, -"# EOF\n".length).split(/^(?=# HELP )/m);
  return families.flatMap((family) => {
    const { name = "", typed, type = "", lines = "" } = FAMILY.exec(family)?.groups ?? {};
    const suffix = SUFFIXES[type];
    if (name === "" || typed !== name || suffix === undefined) throw new Error(`not a family: ${family}`);
    if (/_(?:total|info|bucket|count|sum|created)$/.test(name)) throw new Error(`a family with a suffix: ${name}`);
    return samplesOf(`${name}${suffix}`, lines.trimEnd().split("\n"));
  });
}

type Receive = App["receive"];
type Receiver = Parameters<Receive>[0];

const LINE = "relayers status --listen 127.0.0.1:9464 --retries 0";
const HOST = { host: "127.0.0.1:9464" };
const TOKEN = "scrapes-0123456789abcdef";
const NOTHING = new Uint8Array();

async function ask({ refuse, respond }: Receiver, request: string, headers: Record<string, string> = HOST) {
  const [method = "", target = ""] = request.split(" ");
  const head = { method, target, headers };
  return refuse(head) ?? (await respond({ ...head, body: NOTHING }));
}

async function responses(
  asked: readonly (string | readonly [request: string, headers: Record<string, string>])[],
  { line = LINE, ...world }: Parameters<typeof cli>[1] & { line?: string } = {},
) {
  const got: ReceiverReply[] = [];
  const receive: Receive = async (receiver) => {
    await receiver.listening(receiver.port);
    for (const each of asked) got.push(await (typeof each === "string" ? ask(receiver, each) : ask(receiver, ...each)));
  };
  return { got, ...(await cli(line, { clock: steppedClock(), ...world, receive })) };
}

const lists = (requests: readonly { target: string }[]) =>
  requests.filter(({ target }) => target.startsWith("/api/v1/relayers?"));

describe("the listener for Prometheus", () => {
  test("reads the metrics on each scrape", async () => {
    const { got, requests, stderr } = await exited(0, responses(["GET /metrics", "GET /metrics"]));
    expect(stderr).toBe("metrics on http://127.0.0.1:9464/metrics, on this machine only; press Ctrl-C to stop\n");
    const type = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };
    expect(got.map(({ status, headers }) => [status, headers])).toEqual([
      [200, type],
      [200, type],
    ]);
    expect(samplesIn(got[0]?.text ?? "").length).toBeGreaterThan(20);
    expect(lists(requests)).toHaveLength(2);
  });

  test("reads balances of ERC-20 tokens with --erc20", async () => {
    const line = `--demo ${LINE} base-hot --erc20`;
    const { got } = await exited(0, responses(["GET /metrics"], { line }));
    expect(got[0]?.text).toMatch(/^relayctl_relayer_erc20_balance\{.*token="usdc".*\} 1000000000000$/m);
  });

  test("responds to nothing else, and to no page that reaches this machine by another name", async () => {
    const { got, requests } = await responses([
      "GET /other",
      "POST /metrics",
      "GET /metricsx",
      ["GET /metrics", { host: "attacker.example.org" }],
      ["GET /metrics", {}],
      ["GET /healthz", {}],
    ]);
    expect(got.map(({ status }) => status)).toEqual([404, 405, 404, 421, 421, 200]);
    expect(requests).toEqual([]);
  });

  test("shows that the service does not respond, and notes it once", async () => {
    const service = async () => refusal(500, "no");
    const { got, stderr } = await responses(["GET /metrics", "GET /metrics"], { service });
    expect(samplesIn(got[1]?.text ?? "")).toMatchObject([
      { name: "relayctl_build_info" },
      { name: "relayctl_scrape_success", value: "0" },
    ]);
    expect(stderr.match(/note: no/g)).toHaveLength(1);
  });

  test("reads once for scrapes at the same time", async () => {
    let responded: string[] = [];
    const receive: Receive = async (receiver) => {
      const scrape = async () => (await ask(receiver, "GET /metrics")).text;
      responded = await Promise.all([scrape(), scrape(), scrape()]);
    };
    const { requests } = await cli("relayers status --listen 9464", { receive });
    expect(new Set(responded).size).toBe(1);
    expect(lists(requests)).toHaveLength(1);
  });

  test("has help and a type for each metric, and its own version", async () => {
    const { got } = await responses(["GET /metrics"]);
    const families = familiesIn(got[0]?.text ?? "");
    expect(families.map(({ name }) => name)).toContain("relayctl_build_info");
    for (const { help, type } of families)
      expect([help, type]).toEqual([expect.stringMatching(/^[A-Z].+\.$/), "gauge"]);
    const [build] = families;
    expect(build?.samples).toEqual([{ name: "relayctl_build_info", labels: { version: "0.1.0" }, value: "1" }]);
  });

  test("masks a token that a service returns as a network, however labels are escaped", async () => {
    const token = String.raw`qz7"Kx\n&L<9>vT_r`;
    const service = async () => wholeList([{ id: "r1", network: `net ${token}` }]);
    const env = { RELAYCTL_SERVER: "https://relayer.example.org", RELAYCTL_TOKEN: token };
    const { got } = await responses(["GET /metrics"], { service, env });
    const labels = { relayer: "r1", network: "net ‹redacted›" };
    expect(samplesIn(got[0]?.text ?? "")).toContainEqual(
      expect.objectContaining({ labels: expect.objectContaining(labels) }),
    );
  });

  test("leaves out a relayer that was removed", async () => {
    let relayers = [{ id: "r1" }, { id: "r2" }];
    const service = async ({ target }: { target: string }) =>
      target.startsWith("/api/v1/relayers?")
        ? wholeList(relayers)
        : success({ balance: "1", pending_transactions_count: 0 });
    const texts: string[] = [];
    const receive: Receive = async (receiver) => {
      texts.push((await ask(receiver, "GET /metrics")).text);
      relayers = [{ id: "r2" }];
      texts.push((await ask(receiver, "GET /metrics")).text);
    };
    await cli(LINE, { clock: steppedClock(), receive, service });
    expect(texts.map((text) => [text.includes('"r1"'), text.includes('"r2"')])).toEqual([
      [true, true],
      [false, true],
    ]);
  });
});

describe("OpenMetrics", () => {
  const PROMETHEUS =
    "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

  test("is what Prometheus gets, with the same samples and an end", async () => {
    const { got } = await responses(["GET /metrics", ["GET /metrics", { ...HOST, accept: PROMETHEUS }]]);
    expect(got[1]?.headers).toEqual({ "content-type": "application/openmetrics-text; version=1.0.0; charset=utf-8" });
    expect(openMetricsIn(got[1]?.text ?? "")).toEqual(samplesIn(got[0]?.text ?? ""));
  });

  test.each([
    ["application/openmetrics-text", true],
    ["application/openmetrics-text;q=0.5, text/plain;q=0.5", true],
    ["text/plain, application/openmetrics-text;q=0.9", false],
    ["application/openmetrics-text;q=0", false],
    ["application/openmetrics-text;q=x", false],
    ["*/*", false],
    ["", false],
  ])("is served for Accept: %s: %s", async (accept, isOpenMetrics) => {
    const { got } = await responses([["GET /metrics", { ...HOST, accept }]]);
    expect(got[0]?.text.endsWith("# EOF\n")).toBe(isOpenMetrics);
  });
});

const COUNT = DEEP ? 3_000 : 1_000;
const ITEMS = Array.from({ length: COUNT }, (_, index) => ({ id: `r${index}`, network_type: "solana" }));

test(`a scrape of ${COUNT} relayers waits for 8 seconds at most, and has all of them once a read is complete`, async () => {
  const clock = steppedClock();
  let isAway = false;
  const service = async ({ target }: { target: string }) => {
    await clock.sleep(isAway ? 3_600_000 : 300);
    return target.startsWith("/api/v1/relayers?")
      ? wholeList(ITEMS)
      : success({ balance: "5", pending_transactions_count: 0 });
  };
  const counts: number[] = [];
  const receive: Receive = async (receiver) => {
    const scrape = async (milliseconds: number) => {
      const asked = ask(receiver, "GET /metrics");
      await clock.pass(milliseconds);
      const samples = samplesIn((await asked).text);
      counts.push(samples.filter(({ name }) => name === "relayctl_relayer_balance").length);
    };
    await scrape(8_000);
    await clock.pass(60_000);
    await scrape(8_000);
    isAway = true;
    await clock.pass(60_000);
    await scrape(8_000);
    await clock.pass(310_000);
    await scrape(8_000);
  };
  await cli(`${LINE} --timeout 3600s`, { clock, service, receive });
  expect(counts).toEqual([0, COUNT, COUNT, 0]);
});

describe("other machines", () => {
  const authority = createAuthority();
  const { cert, key } = authority.issue();
  const OTHER = createAuthority().issue();
  const FILES = { token: `${TOKEN}\n`, "cert.pem": cert, "key.pem": key };
  const OPEN = "--listen-token-file token --listen-cert cert.pem --listen-key key.pem";

  test("need the token for everything but the check that it runs", async () => {
    const line = `relayers status --listen 0.0.0.0:9464 ${OPEN}`;
    const bearer = (authorization: string) =>
      ["GET /metrics", { host: "exporter.example.org", authorization }] as const;
    const { got, stderr, requests } = await responses(
      [
        ["GET /metrics", {}],
        bearer(`Bearer ${TOKEN}x`),
        bearer(`Bearer ${TOKEN.slice(1)}`),
        bearer("Bearer "),
        bearer(TOKEN),
        ["GET /other", {}],
        ["GET /healthz", {}],
        bearer(`Bearer ${TOKEN}`),
      ],
      { line, files: FILES },
    );
    expect(got.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 200, 200]);
    expect(got[0]?.headers["www-authenticate"]).toBe("Bearer");
    expect(stderr).toBe("metrics on https://0.0.0.0:9464/metrics, for scrapes with the token; press Ctrl-C to stop\n");
    expect(lists(requests)).toHaveLength(1);
    for (const { text } of got) expect(text).not.toContain(TOKEN);
  });

  test.each([
    ["0.0.0.0:9464", "also specify --listen-token-file, --listen-cert, --listen-key"],
    ["[::]:9464", "also specify --listen-token-file, --listen-cert, --listen-key"],
    ["10.0.0.7:9464 --listen-token-file token", "also specify --listen-cert, --listen-key"],
    ["10.0.0.7:9464 --listen-cert cert.pem --listen-key key.pem", "also specify --listen-token-file"],
    ["9464 --listen-cert cert.pem", "--listen-cert: needs --listen-key"],
    ["9464 --listen-token-file empty", "the file is empty"],
    ["9464 --listen-token-file spaced", "--listen-token-file spaced: contains a space"],
    ["9464 --listen-token-file missing", "--listen-token-file: cannot be read"],
    ["prod.example.org:9464", "--listen prod.example.org:9464: needs an address of this machine"],
    ["127.0.0.1:70000", "--listen 127.0.0.1:70000: needs an address"],
    ["[::1::]:9464", "needs an address"],
    ["999.0.0.1:9464", "needs an address"],
    ["9464 --watch 5s", "--watch: cannot be combined with --listen"],
    ["9464 -o json", "--output: cannot be combined with --listen"],
    ["9464 --check", "--check: cannot be combined with --listen"],
  ])("are rejected before any request, like other mistakes: --listen %s", async (flags, words) => {
    const files = { ...FILES, empty: "", spaced: "a b" };
    const ran = await cli(`relayers status --listen ${flags}`, { files });
    expect(ran).toMatchObject({ exitCode: 2, requests: [] });
    expect(ran.stderr.replaceAll(/\s+/g, " ")).toContain(words);
    expect(ran.stderr).not.toContain(TOKEN);
  });

  test("are not served by flags without --listen", async () => {
    const ran = await cli(`relayers status ${OPEN}`, { files: FILES });
    expect(ran).toMatchObject({ exitCode: 2, requests: [] });
    for (const flag of ["--listen-token-file", "--listen-cert", "--listen-key"])
      expect(ran.stderr).toContain(`${flag}: needs --listen`);
  });

  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  async function overTls(files: Record<string, string>, headers: Record<string, string>) {
    const stop = new AbortController();
    ends.push(() => stop.abort());
    let text = "";
    const listens: Receive = (receiver) =>
      receiveRequests({
        ...receiver,
        clock: steppedClock(),
        interrupt: stop.signal,
        listening: async (port) => {
          await receiver.listening(port);
          text = await fetched(port, headers);
          stop.abort();
        },
      });
    return { ...(await cli(`relayers status --listen 127.0.0.1:0 ${OPEN}`, { files, receive: listens })), text };
  }

  const fetched = (port: number, headers: Record<string, string>) =>
    new Promise<string>((resolve, reject) => {
      const options = { host: "127.0.0.1", port, path: "/metrics", ca: authority.cert, headers, agent: false };
      get(options, (response) => {
        let text = `${response.statusCode} `;
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(text));
      }).on("error", reject);
    });

  test("are served over HTTPS", async () => {
    const served = await overTls(FILES, { authorization: `Bearer ${TOKEN}` });
    expect(served.text).toMatch(/^200 # HELP relayctl_build_info /);
    expect(served.stderr).toMatch(/^metrics on https:\/\/127\.0\.0\.1:\d+\/metrics, for scrapes with the token/);
    expect((await overTls(FILES, {})).text).toMatch(/^401 /);
  });

  test("are not served with a key of another certificate, or one that is not PEM", async () => {
    for (const other of [OTHER.key, "not a key"]) {
      const ran = await overTls({ ...FILES, "key.pem": other }, {});
      expect(ran).toMatchObject({ exitCode: 2, requests: [] });
      expect(ran.stderr).toContain("--listen-cert: needs a certificate, and --listen-key its private key");
    }
  });
});
