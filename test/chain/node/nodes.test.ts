import { nodeWithChainIdentity } from "../../../src/chain/node/chain-identity.ts";
import { boundedNode, nodeWithFallback } from "../../../src/chain/node/node.ts";
import { fakeNode, fault } from "../fake-node.ts";

describe("a node of the network's chain", () => {
  test("gets one request for its chain ID, before all others", async () => {
    const node = fakeNode((method) => (method === "eth_chainId" ? "0x1" : "0x2a"));
    const checked = nodeWithChainIdentity(node, 1n);
    expect(await checked.ask("eth_blockNumber", [])).toEqual({ value: "0x2a" });
    await checked.ask("eth_blockNumber", []);
    expect(node.asked.map(({ method }) => method)).toEqual(["eth_chainId", "eth_blockNumber", "eth_blockNumber"]);
  });

  test("is rejected permanently if it is on another chain", async () => {
    const node = fakeNode(() => "0x89");
    const checked = nodeWithChainIdentity(node, 1n);
    const words = "the node of evm-1 is on chain 137, the network is chain 1";
    expect(await checked.ask("eth_blockNumber", [])).toEqual(fault("wrong_chain", words));
    await checked.ask("eth_blockNumber", []);
    expect(node.asked).toHaveLength(1);
  });

  test("gets another request for its chain ID after a failure", async () => {
    let isDown = true;
    const node = fakeNode(() => (isDown ? fault("unreachable") : "0x1"));
    const checked = nodeWithChainIdentity(node, 1n);
    expect(await checked.ask("eth_blockNumber", [])).toEqual(fault("unreachable"));
    isDown = false;
    expect(await checked.ask("eth_blockNumber", [])).toEqual({ value: "0x1" });
  });

  test.each([[null], ["mainnet"], [1], [[]]])("%j is not a chain ID", async (result) => {
    expect(
      await nodeWithChainIdentity(
        fakeNode(() => result),
        1n,
      ).ask("eth_blockNumber", []),
    ).toMatchObject({
      fault: { kind: "unreadable" },
    });
  });
});

describe("a node with limits", () => {
  test("gets no more requests than the limit", async () => {
    const node = fakeNode(() => "0x1");
    const few = boundedNode(node, { calls: 2 });
    const results = [await few.ask("a", []), await few.ask("b", []), await few.ask("c", [])];
    expect(results).toEqual([
      { value: "0x1" },
      { value: "0x1" },
      fault("exhausted", "2 requests to the node were not enough"),
    ]);
    expect(node.asked).toHaveLength(2);
  });

  test("gets no requests after the time limit", async () => {
    const node = fakeNode(() => "0x1");
    let left = 1;
    const short = boundedNode(node, { calls: 9, remaining: () => left-- });
    expect(await short.ask("a", [])).toEqual({ value: "0x1" });
    expect(await short.ask("b", [])).toEqual(fault("exhausted", "the time limit was reached"));
    expect(node.asked).toHaveLength(1);
  });
});

describe("a relayer's node that refuses requests", () => {
  const refusing = (name: string) => fakeNode(() => fault("refused", `${name} is paused`), name);
  const willing = (name: string) => fakeNode(() => "0x1", name);

  test("is replaced by the first sibling that accepts them, with the sibling's name", async () => {
    const [own, paused, sibling] = [refusing("own"), refusing("paused"), willing("sibling")];
    let searches = 0;
    const node = nodeWithFallback(own, async () => {
      searches++;
      return [paused, sibling];
    });
    expect(node.name).toBe("own");
    expect(await node.ask("eth_chainId", [])).toEqual({ value: "0x1" });
    await node.ask("eth_chainId", []);
    expect([node.name, own.asked.length, paused.asked.length, sibling.asked.length, searches]).toEqual([
      "sibling",
      1,
      1,
      2,
      1,
    ]);
  });

  test("is a fault if no sibling accepts them, and siblings are listed once", async () => {
    let searches = 0;
    const node = nodeWithFallback(refusing("own"), async () => {
      searches++;
      return [];
    });
    expect(await node.ask("a", [])).toEqual(fault("refused", "own is paused"));
    await node.ask("b", []);
    expect(searches).toBe(1);
  });

  test("is not replaced after any other fault", async () => {
    const node = nodeWithFallback(
      fakeNode(() => fault("unreachable")),
      () => Promise.reject(new Error("searched")),
    );
    expect(await node.ask("a", [])).toEqual(fault("unreachable"));
  });
});
