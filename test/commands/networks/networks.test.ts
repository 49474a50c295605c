// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are for a shell to expand
import type { Transport } from "../../../src/client/transport/transport.ts";
import { objectIn, parseJson, writeJson } from "../../../src/contract/json.ts";
import { cli, exits, says } from "../../helpers/cli.ts";
import { appliedIn, CANNOT_UNDO, UNDO } from "../../helpers/receipts.ts";
import { refusal, reply, success, wholeList } from "../../helpers/service/reply.ts";
import { writtenService } from "../../helpers/service/written.ts";

const world = { service: writtenService("networks") };
const RPC = "--rpc-url https://rpc.example.org";

/** The service sends RPC URLs whole; the path of one is a provider's key. */
const SECRET = "canary-rpc-key";

describe("networks list", () => {
  test("shows a line per network", async () =>
    expect((await cli("networks list", { ...world, terminal: true })).stdout).toMatchInlineSnapshot(`
      "[2mID[22m                   [2mCHAIN ID[22m  [2mSYMBOL[22m  [2mTESTNET[22m  [2mRPC URLS[22m  [2mTAGS[22m
      evm:localhost-anvil     31337  ETH     yes             1  [2m–[22m
      evm:sepolia          11155111  ETH     yes             1  [2m–[22m
      stellar:testnet             [2m–[22m  [2m–[22m       yes             1  [2m–[22m
      "
    `));

  test.each(["json", "ndjson", "yaml", "csv", "tsv", "table"])("masks RPC URLs as %s", async (format) => {
    const { stdout } = await cli(`networks list -o ${format}`, world);
    expect(stdout).not.toContain(SECRET);
    expect(stdout).toContain("evm:sepolia");
  });

  test("masks RPC URLs in --query and --fields, but not in -o raw", async () => {
    const queried = await cli("networks list -o json --query '[].rpc_urls[].url'", world);
    expect(JSON.parse(queried.stdout)).toContain("https://rpc.example.org/***");
    expect((await cli("networks list --fields rpc_urls", world)).stdout).not.toContain(SECRET);
    expect((await cli("networks list -o raw --page 1", world)).stdout).toContain(SECRET);
  });

  test("shows the version that introduced networks for an older service", async () => {
    const service = async () => reply(404);
    await says(7, "networks list", "this service does not have this route; it was added in v1.4", { service });
  });
});

describe("networks get", () => {
  test.each(["evm:sepolia", "stellar:testnet"])("%s", async (id) => {
    const { stdout, requests } = await cli(`networks get ${id}`, { ...world, terminal: true });
    expect(requests[0]?.target).toBe(`/api/v1/networks/${id.replace(":", "%3A")}`);
    expect(stdout).toMatchSnapshot();
    expect(stdout).not.toContain(SECRET);
  });

  test("shows RPC URLs of another type once, and without keys at any depth", async () => {
    const data = {
      id: "evm:x",
      rpc_urls: { main: { url: `https://a.example.org/${SECRET}`, ws: `wss://a.example.org/${SECRET}` } },
    };
    const service = async () => success(data);
    const shown = await cli("networks get evm:x --color never", { service, terminal: true, isMalformed: true });
    expect(shown.stdout).toBe(
      'id          evm:x\nrpc_urls    {"main":{"url":"https://a.example.org/***","ws":"wss://a.example.org/***"}}\n',
    );
  });

  test("exits with 5 for an unknown network, with the service's message", () =>
    says(5, "networks get evm:zz", "Network with ID 'evm:zz' not found", world));
});

test("an empty RPC URL is reported as empty", async () => {
  const ran = await cli(["networks", "update", "evm:sepolia", "--rpc-url", ""]);
  expect(ran.stderr).toContain("--rpc-url (1, url) (empty): an http or https URL");
});

describe("networks update", () => {
  test("replaces the whole list, with weights up to 255", async () => {
    const { stderr, writes } = await exits(
      0,
      `networks update evm:sepolia ${RPC},weight=80 --rpc-url https://backup.example.org,weight=20`,
      world,
    );
    expect(writes[0]?.body).toBe(
      '{"rpc_urls":[{"url":"https://rpc.example.org","weight":80},{"url":"https://backup.example.org","weight":20}]}',
    );
    expect(stderr).toContain("relayers on this network without custom RPC URLs will use these");
  });

  test("shows old and new URLs without keys, and why the change cannot be undone", async () => {
    const { stderr, stdout } = await cli(`networks update evm:sepolia ${RPC} --diff`, world);
    expect(stderr).toMatchInlineSnapshot(`
      "update network evm:sepolia in http://127.0.0.1:8080
        now    https://rpc.example.org/***  weight 100
        after  https://rpc.example.org
      relayers on this network without custom RPC URLs will use these
      ${appliedIn("http://127.0.0.1:8080")}evm:sepolia RPC URLs replaced: 1 before, 1 now
      ${CANNOT_UNDO}: the previous RPC URLs may contain keys and are not printed
      note: the new node was not checked: HTTP 404
      "
    `);
    expect(stderr + stdout).not.toContain(SECRET);
  });

  test("shows the undo command if the old URLs may be printed", async () => {
    const { stderr } = await cli(`networks update evm:localhost-anvil ${RPC} --diff`, world);
    expect(stderr).toContain(
      `${UNDO}relayctl networks update evm:localhost-anvil --rpc-url http://127.0.0.1:8545,weight=100`,
    );
  });

  test("sends nothing if the network already has these URLs", async () => {
    const { exitCode, stderr, writes } = await cli(
      "networks update evm:localhost-anvil --rpc-url http://127.0.0.1:8545 --diff",
      world,
    );
    expect({ exitCode, writes }).toEqual({ exitCode: 0, writes: [] });
    expect(stderr).toContain("evm:localhost-anvil already has these RPC URLs; nothing was sent");
  });

  test("accepts strings as URLs from a file, and confirms them", async () => {
    const stdin = `{"rpc_urls":["https://rpc.example.org",{"url":"https://rpc.example.org/v3/${SECRET}","weight":255}]}`;
    const { stdout, stderr, writes } = await exits(0, "networks update evm:sepolia -f -", { ...world, stdin });
    expect(writes[0]?.body).toBe(stdin);
    expect(stderr).not.toContain("not confirmed");
    expect(stdout + stderr).not.toContain(SECRET);
  });

  test("is a mismatch if the service returns other URLs", async () => {
    const answer = { id: "evm:sepolia", rpc_urls: [{ url: "https://other.example.org", weight: 100 }] };
    await says(14, `networks update evm:sepolia ${RPC}`, "rpc_urls: requested", {
      service: async () => success(answer),
    });
  });

  test("shows URLs with more than a host as variables in a dry run", async () => {
    const { stdout, requests } = await cli(
      `networks update evm:sepolia --rpc-url https://h.example/${SECRET} -n`,
      world,
    );
    expect(stdout).toContain('{"rpc_urls":[{"url":"${RPC_URL_1:?}"}]}');
    expect(requests).toEqual([]);
  });

  test("counts the URLs that it sent if the response does not have them", async () => {
    const service = async () => success({ id: "evm:x" });
    const { stderr } = await cli(`networks update evm:x ${RPC} --diff --yes`, { service });
    expect(stderr).toContain("RPC URLs replaced: 0 before, 1 now");
  });

  test("keeps the service's message of a refusal", () =>
    says(7, "networks update evm:sepolia --rpc-url http://10.0.0.1:8545", "Invalid RPC URL configuration", world));

  test.each([
    ["--rpc-url ftp://x/key", "Invalid URL scheme for ftp://x/***: Only HTTP and HTTPS are supported"],
    ["--rpc-url https://h.example/***", "is masked by the service"],
    [`${RPC},weight=256`, "a whole number from 0 to 255"],
    [`${RPC},weight=x`, "its weight must be a whole number from 0 to 255"],
    ["--rpc-url http://169.254.169.254/latest", "the service refuses the host 169.254.169.254"],
    ["--rpc-url http://0.0.0.0:8545", "the service refuses the host 0.0.0.0"],
    ["--rpc-url http://[::]:8545", "the service refuses the host [::]"],
    ["--rpc-url http://metadata.google.internal", "the service refuses the host metadata.google.internal"],
  ])("%s is rejected before any request", (flags, rule) =>
    says({ exitCode: 2, requests: [] }, `networks update evm:sepolia ${flags}`, rule, world),
  );

  test.each([
    ['{"rpc_urls":null}', "a list of RPC URLs"],
    ['{"rpc_urls":["ftp://x"]}', "rpc_urls.0"],
    ['{"name":"x","rpc_urls":["https://h"]}', "has an unknown field: name"],
  ])("a file with %s is rejected too", (stdin, rule) =>
    says({ exitCode: 2, requests: [] }, "networks update evm:sepolia -f -", rule, { ...world, stdin }),
  );
});

describe("a network's ID is in lowercase, whatever its name is", () => {
  const NETWORK = {
    id: "evm:fork-1",
    name: "Fork-1",
    network_type: "evm",
    chain_id: 31337,
    rpc_urls: [{ url: "https://rpc.example.org", weight: 100 }],
  };
  const RELAYER = { id: "r", name: "R", network: "Fork-1", network_type: "evm", paused: false, system_disabled: false };
  const serviceOf =
    (relayer: object): Transport =>
    async ({ target, body = "" }) => {
      if (target.endsWith("/rpc"))
        return reply(200, `{"jsonrpc":"2.0","id":${writeJson(objectIn(parseJson(body)).id ?? null)},"result":"0x1"}`);
      if (target.includes("/networks/"))
        return target.endsWith("evm%3Afork-1") ? success(NETWORK) : refusal(404, "not found");
      return target.includes("/relayers/") ? success(relayer) : wholeList([relayer]);
    };

  test("when the node of a network is checked", () =>
    says(0, `networks update evm:fork-1 ${RPC} --yes`, "the new node is on chain 1, but Fork-1 is chain 31337", {
      service: serviceOf(RELAYER),
    }));

  test("when the node of a relayer is checked", () =>
    says(0, `relayers update r ${RPC} --yes`, "the new node is on chain 1, but Fork-1 is chain 31337", {
      service: serviceOf({ ...RELAYER, custom_rpc_urls: [{ url: "https://rpc.example.org", weight: 100 }] }),
    }));

  test("in the command that replaces the URLs of a disabled relayer", async () => {
    const disabled = {
      ...RELAYER,
      system_disabled: true,
      disabled_reason: { type: "RpcValidationFailed", details: "x" },
    };
    const { stdout } = await cli("relayers status r", { service: serviceOf(disabled), terminal: true });
    expect(stdout).toContain("relayctl networks update evm:fork-1 --rpc-url URL");
  });
});
