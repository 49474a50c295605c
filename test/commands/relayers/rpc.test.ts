import { cli, ends, exits, inProd, says, type World } from "../../helpers/cli.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { SENT_AS_SIGNED } from "../../helpers/receipts.ts";
import { recordedAs, replyOf } from "../../helpers/service/recorded.ts";
import { reply } from "../../helpers/service/reply.ts";
import { scriptedService } from "../../helpers/service/scripted-service.ts";

function answering(text: string, status = 200): World {
  return { service: async () => reply(status, text) };
}

function result(json: string): World {
  return {
    service: async ({ body = "" }) => {
      const { id = 1 } = JSON.parse(body);
      return reply(200, `{"jsonrpc":"2.0","result":${json},"id":${JSON.stringify(id)}}`);
    },
  };
}

function failing(code: number, description: string): World {
  const error = { code, message: "Internal error", description };
  return answering(JSON.stringify({ jsonrpc: "2.0", error, id: 1 }));
}

const SEND = "relayers rpc r1 eth_sendRawTransaction 0x02f8";

async function sent(line: string, world: World = {}): Promise<string | undefined> {
  const ran = await exits(0, line, { ...result("null"), ...world });
  expect(ran.requests).toHaveLength(1);
  return ran.requests[0]?.body;
}

describe("the request", () => {
  test.each([
    ["eth_blockNumber", '"method":"eth_blockNumber","params":[]'],
    ["getHealth", '"method":"getHealth"'],
    ["eth_getBalance 0xAb latest", '"method":"eth_getBalance","params":["0xAb","latest"]'],
    ["eth_call 9007199254740993 1.0 true null", '"method":"eth_call","params":[9007199254740993,1.0,true,null]'],
    [`eth_call '{"to":"0x1"}' '"pending"'`, '"method":"eth_call","params":[{"to":"0x1"},"pending"]'],
    [`getTransaction --params '{"hash":"ab"}'`, '"method":"getTransaction","params":{"hash":"ab"}'],
  ])("%s", async (words, fields) => {
    expect(await sent(`relayers rpc r1 ${words}`)).toBe(`{"jsonrpc":"2.0","id":1,${fields}}`);
  });

  test("from a file is sent unchanged, apart from the arguments", async () => {
    const files = { b: '{"id":"a","method":"eth_gasPrice"}' };
    expect(await sent("relayers rpc r1 -f b", { files })).toBe('{"id":"a","method":"eth_gasPrice"}');
    expect(await sent("relayers rpc r1 eth_getCode 0x1 -f b", { files })).toBe(
      '{"id":"a","method":"eth_getCode","params":["0x1"]}',
    );
    expect(await sent("relayers rpc r1 -f -", { stdin: '{"method":"eth_syncing"}' })).toBe('{"method":"eth_syncing"}');
  });

  test.each([
    ["relayers rpc r1", "missing required argument 'method', or --file", {}],
    ["relayers rpc r1 eth_call {to:1}", "[params...] 1 {to:1}: needs JSON, or a plain word", {}],
    ["relayers rpc r1 eth_call 007", "[params...] 1 007: needs JSON", {}],
    [`relayers rpc r1 m 1 --params '[]'`, "--params: cannot be combined", {}],
    ["relayers rpc r1 m --params 5", "--params 5: a list or an object", {}],
    ["relayers rpc r1 ''", "<method> (empty): Missing 'method' field", {}],
    ["relayers rpc r1 -f b", "b method: Missing 'method' field", { files: { b: '{"params":[]}' } }],
    [
      "relayers rpc r1 -f b",
      "b id 1.5: Invalid 'id' field: must be a string, integer, or null",
      { files: { b: '{"method":"m","id":1.5}' } },
    ],
    ["relayers rpc r1 -f b", "does not contain a JSON object", { files: { b: "[]" } }],
  ])("%s is rejected: %s", (line, words, world) => says({ exitCode: 2, requests: [], stdout: "" }, line, words, world));
});

describe("the result", () => {
  test("recorded: is printed alone, or as the whole response with -o raw", async () => {
    const service = async () => replyOf(recordedAs("rpc passthrough"));
    const world = { service, files: { b: '{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}' } };
    expect((await cli("relayers rpc r1 -f b", world)).stdout).toBe("0x7a69\n");
    expect((await cli("relayers rpc r1 -f b -o json", world)).stdout).toBe('"0x7a69"\n');
    expect((await cli("relayers rpc r1 -f b -o raw", world)).stdout).toBe('{"jsonrpc":"2.0","result":"0x7a69","id":7}');
  });

  test("of a read is rejected if it belongs to another request", async () => {
    const foreign = answering('{"jsonrpc":"2.0","result":"0x1","id":2}');
    const { exitCode, stdout, stderr } = await cli("relayers rpc r1 eth_chainId", foreign);
    expect([exitCode, stdout]).toEqual([9, ""]);
    expect(stderr).toContain("the response has a different JSON-RPC ID than the request");
    expect((await cli("relayers rpc r1 eth_chainId", answering('{"result":"0x1"}'))).exitCode).toBe(0);
  });

  test.each(['"result":"0x1"', '"error":{"code":-32601,"message":"unknown method"}'])(
    "of a sending method proves nothing if it belongs to another request: %s",
    async (end) => {
      const foreign = answering(`{"jsonrpc":"2.0",${end},"id":2}`);
      const { exitCode, stdout, stderr } = await cli(`${SEND} --yes -o json`, foreign);
      expect([exitCode, stdout]).toEqual([14, ""]);
      expect(JSON.parse(stderr).error).toMatchObject({
        message: "the response has a different JSON-RPC ID than the request",
        applied: "unknown",
        hint: "relayctl relayers status r1",
      });
    },
  );

  test("keeps every digit", async () => {
    const world = result('{"value":340282366920938463463374607431768211455}');
    expect((await cli("relayers rpc s getBalance x -o ndjson", world)).stdout).toBe(
      '{"value":340282366920938463463374607431768211455}\n',
    );
  });

  test("is a line per field on a terminal", async () => {
    const ran = await cli("relayers rpc r1 eth_getBlockByNumber latest false --color never", {
      ...result('{"number":"0x10","uncles":[]}'),
      terminal: true,
    });
    expect(ran.stdout).toBe("number    0x10\nuncles    []\n");
  });

  test("may be null, which is not an error", async () =>
    expect(await cli("relayers rpc r1 eth_getTransactionByHash 0x1 -o json", result("null"))).toMatchObject({
      exitCode: 0,
      stdout: "null\n",
    }));
});

/** The service's description if a node refuses the connection or its name is unknown (facts 3.3). */
const NO_CONNECTION = "Network error occurred. Please try again later";

describe("a JSON-RPC error differs from an error of the service", () => {
  test("recorded: keeps its code and message, with nothing on stdout", async () => {
    const service = async () => replyOf(recordedAs("rpc unknown method"));
    const ran = await ends({ exitCode: 7, stdout: "" }, "relayers rpc r1 eth_call -o json", { service });
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      message: "JSON-RPC error -32603: Internal error; RPC error occurred (code: -32601)",
      applied: "no",
      http: { status: 200 },
    });
  });

  test.each([
    [-32602, 7],
    [-33004, 7],
    [-33000, 9],
    [-33002, 9],
    [-33003, 9],
    [-33001, 8],
    [-32603, 7],
    [-32603, 9, NO_CONNECTION],
  ])(
    "%d from a read-only method exits with %d, as after a read",
    async (code, exitCode, description = "Request failed") => {
      const ran = await exits(exitCode, "relayers rpc r1 eth_call", failing(code, description));
      expect(ran.stderr).toContain(description);
      expect(ran.stderr).not.toMatch(/nothing was applied|--dry-run/);
    },
  );

  test.each([
    [-32602, "", 7],
    [-32603, "RPC error occurred (code: -32601)", 7],
    [-32603, "RPC error occurred (code: -32000)", 11],
    [-32603, NO_CONNECTION, 11],
    [-33000, "Request timeout", 11],
    [-33001, "Rate limited", 11],
  ])("%d, %s, from a sending method exits with %d", async (code, description, exitCode) => {
    const ran = await exits(exitCode, `${SEND} --yes -o json`, failing(code, description));
    const { applied, hint } = JSON.parse(ran.stderr).error;
    expect(applied).toBe(exitCode === 11 ? "unknown" : "no");
    if (exitCode === 11) expect(hint).toBe("relayctl relayers status r1");
  });

  test.each([
    [-32602, "no"],
    [-33000, "unknown"],
  ])("%d from a sending method is recorded as applied: %s", async (code, applied) => {
    const world = { ...inProd(), ...failing(code, "Request failed"), journal: memoryJournal() };
    await cli(`${SEND} --yes`, world);
    expect((await cli("history list --fields applied", world)).stdout).toBe(`${applied}\n`);
  });

  test("masks a node's URL in its message", async () => {
    const ran = await cli("relayers rpc r1 eth_call", failing(-33003, "error for url (https://rpc.example/v3/secret)"));
    expect(ran.stderr).toContain("error for url (https://rpc.example/***)");
    expect(ran.stderr).not.toContain("secret");
  });

  test.each([
    ["recorded: rpc no method", { service: async () => replyOf(recordedAs("rpc no method")) }, 7],
    ["paused", answering('{"success":false,"data":null,"error":"Relayer paused"}', 403), 6],
    ["no such relayer", answering('{"success":false,"data":null,"error":"Relayer with ID r1 not found"}', 404), 5],
  ])("%s is an error of the service", async (_, world, exitCode) => {
    const ran = await exits(exitCode, "relayers rpc r1 eth_call", world);
    expect(ran.stderr).not.toContain("JSON-RPC error");
  });
});

describe("the method determines the behavior", () => {
  test("a read-only method is sent at once, and retried after a lost response", async () => {
    const service = scriptedService(
      { reply: reply(502, "") },
      { reply: reply(200, '{"jsonrpc":"2.0","result":"0x1","id":1}') },
    );
    await ends({ exitCode: 0, stdout: "0x1\n" }, "relayers rpc r1 eth_chainId", { service: service.transport });
    expect(service.left()).toBe(0);
  });

  test("a sending method requires --yes without a terminal, before any read", async () => {
    const ran = await ends({ exitCode: 3, requests: [] }, SEND);
    expect(ran.stderr).toContain("eth_sendRawTransaction through r1 requires confirmation");
    expect(ran.stderr).toContain(`hint: relayctl ${SEND} --yes`);
  });

  test("a sending method is shown before the question", async () => {
    const ran = await cli("relayers rpc eth-main-1 eth_sendRawTransaction 0x02", { terminal: true, answers: ["n"] });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    expect(ran.stderr).toContain('"method":"eth_sendRawTransaction","params":["0x02"]}\n');
    expect(ran.stderr).toContain(SENT_AS_SIGNED);
  });

  test("an unknown method is reported as unknown before the question", async () => {
    const ran = await cli("relayers rpc eth-main-1 evm_mine", { terminal: true, answers: ["n"] });
    expect(ran.stderr).toContain("the effect of this request is unknown");
  });

  test.each([
    ["a lost response", 502, ""],
    ["a response without a result", 200, '{"jsonrpc":"2.0","id":1}'],
    ["an unrelated response", 200, '{"success":true,"data":null,"error":null}'],
  ])("a sending method is sent once, and after %s the outcome is unknown", async (_, status, text) => {
    const ran = await exits(11, `${SEND} --yes`, answering(text, status));
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).toContain("hint: relayctl relayers status r1");
  });

  test.each(['{"jsonrpc":"2.0","id":1}', "[]", "OK"])("%s is an invalid response to a read-only method", async (text) =>
    expect((await cli("relayers rpc r1 eth_call --retries 0", answering(text))).exitCode).toBe(9),
  );
});
