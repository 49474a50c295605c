import { environmentOfPrograms } from "../../src/config/environment.ts";
import { hasNodes, nodeUrlFor, nodeVariable, parseNodeUrl, shownNodes } from "../../src/config/nodes.ts";
import { unknownVariableNotes } from "../../src/config/variables.ts";

const STORED = { mainnet: "https://context.example/0123456789abcdef0123" };
const ENV = { RELAYCTL_NODE_ARBITRUM_ONE: "https://variable.example/v2?key=0123456789abcdef0123" };

describe("the node of a network", () => {
  test("has a variable in upper case, with underscores for dashes", () => {
    expect(nodeVariable("arbitrum-one")).toBe("RELAYCTL_NODE_ARBITRUM_ONE");
    expect(nodeUrlFor("arbitrum-one", ENV, {})).toBe("https://variable.example/v2?key=0123456789abcdef0123");
  });

  test("comes from the context unless a variable overrides it", () => {
    expect(nodeUrlFor("mainnet", {}, STORED)).toBe(STORED.mainnet);
    const env = { RELAYCTL_NODE_MAINNET: "https://variable.example" };
    expect(nodeUrlFor("mainnet", env, STORED)).toBe("https://variable.example/");
    expect(nodeUrlFor("mainnet", { RELAYCTL_NODE_MAINNET: "" }, STORED)).toBe(STORED.mainnet);
  });

  test("is not that of another network, or a name that every object has", () => {
    expect(nodeUrlFor("sepolia", ENV, STORED)).toBeUndefined();
    expect(nodeUrlFor("constructor", {}, {})).toBeUndefined();
  });

  test.each([
    [{ RELAYCTL_NODE_MAINNET: "ws://node.example/0123456789" }, {}, "RELAYCTL_NODE_MAINNET"],
    [{}, { mainnet: "node.example/0123456789" }, "nodes.mainnet of the context"],
  ])("is a usage error that never quotes an invalid URL: %j", (env, stored, where) => {
    expect(() => nodeUrlFor("mainnet", env, stored)).toThrow(
      expect.objectContaining({
        failure: "usage",
        details: [{ where, rule: "must begin with https:// or http://" }],
      }),
    );
  });

  test("counts as set if a variable or the context has any", () => {
    expect([hasNodes({}, {}), hasNodes(ENV, {}), hasNodes({}, STORED)]).toEqual([false, true, true]);
    expect(hasNodes({ RELAYCTL_NODE_MAINNET: "" }, {})).toBe(false);
  });

  test("is shown masked, with its source", () => {
    expect(shownNodes({ ...ENV, PATH: "/bin" }, STORED)).toEqual([
      { network: "arbitrum-one", url: "https://variable.example/***", from: "RELAYCTL_NODE_ARBITRUM_ONE" },
      { network: "mainnet", url: "https://context.example/***", from: "the context" },
    ]);
    expect(shownNodes({ RELAYCTL_NODE_MAINNET: "https://v.example" }, STORED)).toEqual([
      { network: "mainnet", url: "https://v.example", from: "RELAYCTL_NODE_MAINNET" },
    ]);
  });

  test("has a variable that is known, and that no other program sees", () => {
    expect(unknownVariableNotes(ENV)).toEqual([]);
    expect(environmentOfPrograms({ ...ENV, PATH: "/bin" })).toEqual({ PATH: "/bin" });
  });
});

test.each(["https://u:p@rpc.example/a%20b?x=1", "http://10.0.0.1:8545", "https://rpc.example"])(
  "%s is the URL of a node",
  (url) => expect(parseNodeUrl(url)).toBe(new URL(url).href),
);

test.each([
  "",
  "rpc.example",
  "ws://rpc.example",
  "https://",
  "https://a b",
  "https://a/#x",
  "https://a/%zz",
  "https://a\\b",
])("%j is not the URL of a node", (url) => expect(() => parseNodeUrl(url)).toThrow());
