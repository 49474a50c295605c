import { labelCandidates } from "../../src/completion/configured.ts";
import { fitting } from "./offered.ts";

const LABELS = { evm: { treasury: "0x3c" }, stellar: { payouts: "GA7Q" } };

test("offers labels with their addresses, of all kinds or of one", () => {
  const config = JSON.stringify({ version: 1, contexts: {}, labels: LABELS });
  const treasury = { word: "treasury", summary: "0x3c" };
  expect(labelCandidates(config)).toEqual([treasury, { word: "payouts", summary: "GA7Q" }]);
  expect(labelCandidates(config, ["evm"])).toEqual([treasury]);
});

test("omits invalid labels from a file edited by hand", () => {
  const labels = { evm: { "a b": "0x1", ok: 7, fine: "0x2" }, solana: [] };
  expect(labelCandidates(JSON.stringify({ labels }))).toEqual([{ word: "fine", summary: "0x2" }]);
});

test.each([undefined, "null", "[]", '{"labels":[]}'])("offers none for %s", (text) =>
  expect(labelCandidates(text)).toEqual([]),
);

test("offers a label where an address is typed, with its @", async () => {
  expect(await fitting("relayctl tx send r1 --to @")).toEqual(["@label evm"]);
  expect(await fitting("relayctl tx send r1 --source-account @")).toEqual(["@label stellar"]);
  expect(await fitting("relayctl label delete ")).toEqual(["label"]);
});
