import fc from "fast-check";
import { sinceFlag } from "../../src/config/since.ts";
import { printedToken } from "../../src/config/token/printed-token.ts";
import { addressProblem, hexBytesProblem } from "../../src/contract/address.ts";
import { compareDecimals, type Decimal, decimalOf, numberOf } from "../../src/contract/decimal.ts";
import { explorerUrl } from "../../src/contract/explorer-url.ts";
import { idPathPart, idProblem, newIdProblem } from "../../src/contract/id.ts";
import { NumberLiteral } from "../../src/contract/json.ts";
import { operationPath } from "../../src/contract/operation.ts";
import { operations } from "../../src/contract/operations.ts";
import { Problems } from "../../src/contract/problems.ts";
import { evmValidUntil, solanaValidUntil, stellarValidUntil } from "../../src/contract/requests/schema-parts.ts";
import { rfc3339Time } from "../../src/contract/rfc3339.ts";
import { isRpcUrlWithoutSecrets, maskRpcUrl, withMaskedRpcUrls } from "../../src/contract/rpc-url.ts";
import { anyCharacter } from "../helpers/any-character.ts";

/** The vectors of EIP-55. */
const CHECKSUMMED = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

describe("an EVM address", () => {
  test.each(CHECKSUMMED)("%s is valid", (address) => {
    expect(addressProblem(address)).toBeUndefined();
    expect(addressProblem(address.toLowerCase())).toBeUndefined();
    expect(addressProblem(`0x${address.slice(2).toUpperCase()}`)).toBeUndefined();
  });

  test.each([
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", "checksum"],
    ["0x12", "40 hex digits, this one has 2"],
    ["0x", "40 hex digits, this one has 0"],
    [`0x${"1".repeat(41)}`, "this one has 41"],
    ["5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "begins with 0x"],
    ["0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "begins with 0x"],
    [`0x${"g".repeat(40)}`, "hex digits only"],
    [` 0x${"1".repeat(40)}`, "begins with 0x"],
    [`0x${"1".repeat(39)}\n`, "hex digits only"],
    ["", "begins with 0x"],
  ])("%j is invalid", (text, problem) => expect(addressProblem(text)).toContain(problem));
});

describe("bytes in hex", () => {
  test.each(["0x", "0xdeadbeef", "0xDEADbeef"])("%s", (text) => expect(hexBytesProblem(text)).toBeUndefined());

  test.each([
    ["0xabc", "odd number"],
    ["deadbeef", "needs 0x"],
    ["0xzz", "needs 0x and hex digits"],
    ["", "needs 0x"],
  ])("%j are invalid", (text, problem) => expect(hexBytesProblem(text)).toContain(problem));
});

describe("a decimal", () => {
  const read = (text: string): Decimal => decimalOf(text) ?? { units: -1n, scale: -1 };

  test.each([
    ["1.0", "1"],
    ["1e21", "1000000000000000000000"],
    ["1e+21", "1000000000000000000000"],
    ["0.10", "0.1"],
    ["125e-2", "1.25"],
    ["0x5", "5"],
    ["-0", "0"],
  ])("%s equals %s", (left, right) => expect(compareDecimals(read(left), read(right))).toBe(0));

  test.each([
    ["9007199254740993", "9007199254740992.5"],
    ["340282366920938463463374607431768211455", "340282366920938463463374607431768211454"],
    ["0.1", "0.09999999999999999999"],
    ["-1.5", "-1.6"],
    ["0.25", "-7"],
  ])("%s is greater than %s", (larger, smaller) => {
    expect(compareDecimals(read(larger), read(smaller))).toBe(1);
    expect(compareDecimals(read(smaller), read(larger))).toBe(-1);
  });

  test.each(["", "007", "1.", ".5", "1_000", "abc", "0x", "1e9999", "9".repeat(1001)])(
    "%s is not a decimal",
    (text) => {
      expect(decimalOf(text)).toBeUndefined();
    },
  );

  test("orders integers like BigInt", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), (left, right) => {
        const order = left < right ? -1 : left > right ? 1 : 0;
        expect(compareDecimals(read(String(left)), read(String(right)))).toBe(order);
      }),
    );
  });

  test("a value counts as a number if it is one, or an integer in a string", () => {
    expect(
      [5, 5n, new NumberLiteral("5.0"), "5", "0x5"].map(
        (value) => numberOf(value) && compareDecimals(read("5"), numberOf(value) ?? read("0")),
      ),
    ).toEqual([0, 0, 0, 0, 0]);
    expect(["1.10", "1e3", "05", true, null, []].map(numberOf)).toEqual(Array(6).fill(undefined));
  });
});

test.each([
  ["", "is empty"],
  [".", "would change the path"],
  ["..", "would change the path"],
  ["a/b", "a slash or a control character"],
  ["../x", "a slash or a control character"],
  ["a\nb", "a slash or a control character"],
  ["a\u0000", "a slash or a control character"],
  ["\u009b", "a slash or a control character"],
  ["\ud800", "a lone surrogate"],
  ["true", "a flag such as --paused takes no value"],
  ["false", "a flag such as --paused takes no value"],
])("an ID that would change the path is rejected: %j", (id, problem) => {
  expect(idProblem(id)).toContain(problem);
  expect(() => idPathPart(id)).toThrow(RangeError);
});

test.each(["eth-main-1", "...", "evm:sepolia", "%2e%2e", "a b", "é", "😀", "a?b#c", "True"])("%s is a valid ID", (id) =>
  expect(idProblem(id)).toBeUndefined(),
);

describe("an ID in a path", () => {
  const { "relayers.update": update, "tx.replace": replace, "relayers.list": list } = operations;

  test("is percent-encoded", () =>
    expect(operationPath(update, { relayer_id: "a b?c#%2e:é" })).toBe("/api/v1/relayers/a%20b%3Fc%23%252e%3A%C3%A9"));

  test("is put in its place", () => {
    expect(operationPath(replace, { relayer_id: "r", transaction_id: "t" })).toBe("/api/v1/relayers/r/transactions/t");
    expect(operationPath(list)).toBe("/api/v1/relayers");
  });

  test("cannot be omitted", () => expect(() => operationPath(replace, { relayer_id: "r" })).toThrow(RangeError));

  test("is a single part of the path, and can be decoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (id) => {
        if (idProblem(id)) return;
        const url = new URL(operationPath(update, { relayer_id: id }), "http://service.example");
        const parts = url.pathname.split("/");
        expect([parts.length, decodeURIComponent(parts[4] ?? ""), url.search + url.hash]).toEqual([5, id, ""]);
      }),
    );
  });
});

describe("a new ID must follow the service's rule", () => {
  test.each([
    ["", "ID cannot be empty"],
    ["x".repeat(37), "ID must not exceed 36 characters"],
    ["é", "ID must contain only letters, numbers, dashes and underscores"],
    ["a b", "ID must contain only letters"],
    ["a/b", "ID must contain only letters"],
    ["true", "unexpected: a flag such as --paused takes no value"],
  ])("%s: %s", (id, words) => expect(newIdProblem(id)).toContain(words));

  test.each(["a", "x".repeat(36), "eth-main_1", "3f0c2f57-7d0e-4c2e-9d43-0a1b2c3d4e5f"])("%s is valid", (id) => {
    expect(newIdProblem(id)).toBeUndefined();
  });
});

const READERS: [string, (time: string) => boolean][] = [
  ["an EVM valid_until", (time) => evmValidUntil.safeParse(time).success],
  ["a Solana valid_until", (time) => solanaValidUntil.safeParse(time).success],
  ["a Stellar valid_until", (time) => stellarValidUntil.safeParse(time).success],
  ["the expiry of a token", (time) => !("rule" in printedToken(JSON.stringify({ token: "t", expires_at: time })))],
  ["--since", (time) => sinceFlag(new Problems(), time, 0) !== undefined],
];

describe.each(READERS)("%s", (_, accepts) => {
  test.each(["2028-02-29T00:00:00Z", "2030-12-31T23:59:59.5+14:00"])("can be %s", (time) => {
    expect(accepts(time)).toBe(true);
  });

  test.each(["2030-02-29", "2030-02-30", "2030-04-31", "2030-00-10", "2030-13-01", "2030-01-32"])(
    "can't be on %s, a day that doesn't exist",
    (day) => expect(accepts(`${day}T00:00:00Z`)).toBe(false),
  );

  test.each([
    "2030-01-01T24:00:00Z",
    "2030-01-01T25:00:00Z",
    "2030-01-01T00:60:00Z",
    "2030-01-01T00:00:00",
    "٢٠٣٠-01-01T00:00:00Z",
  ])("can't be %s", (time) => expect(accepts(time)).toBe(false));
});

test("Unix seconds after the year 9999 cannot be a Stellar valid_until: the service would ignore them", () => {
  expect(stellarValidUntil.safeParse("253402300799").success).toBe(true);
  for (const seconds of ["253402300800", "1893456000000", "99999999999999999999"])
    expect(stellarValidUntil.safeParse(seconds).success).toBe(false);
});

test("a day that another zone begins is the day as it is written", () =>
  expect(rfc3339Time("2030-03-01T00:00:00+14:00")).toBe(Date.UTC(2030, 1, 28, 10)));

describe("an RPC URL is shown without possible keys", () => {
  test.each([
    ["https://node.example", "https://node.example"],
    ["https://node.example/", "https://node.example/"],
    ["https://node.example:8545", "https://node.example:8545"],
    ["https://node.example/v3/KEY", "https://node.example/***"],
    ["https://node.example?key=KEY", "https://node.example?***"],
    ["https://node.example#KEY", "https://node.example#***"],
    ["https://node.example/?key=KEY", "https://node.example/***"],
    ["https://user:KEY@node.example/v3", "https://node.example/***"],
    ["https://user@KEY@node.example", "https://node.example"],
    ["http://[::1]:8545/KEY", "http://[::1]:8545/***"],
    ["wss://node.example/KEY", "wss://node.example/***"],
    ["https://node.example/***", "https://node.example/***"],
    ["node.example/KEY", "***"],
    ["KEY", "***"],
    ["", "***"],
    ["https://node.example/a\nKEY", "https://node.example/***"],
  ])("%j", (url, shown) => expect(maskRpcUrl(url)).toBe(shown));

  test("masking twice changes nothing more", () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        (url) => maskRpcUrl(maskRpcUrl(url)) === maskRpcUrl(url),
      ),
    );
  });
});

test("masks only the RPC URLs of a resource", () => {
  const relayer = {
    id: "r",
    name: "https://x/y",
    custom_rpc_urls: [{ url: "https://h/KEY", weight: 5, extra: true }, "https://h/KEY", null],
    rpc_urls: ["https://u:p@h", { weight: "high", ws: { url: "h/KEY", other: "wss://h/KEY" } }],
  };
  expect(withMaskedRpcUrls(relayer)).toEqual({
    id: "r",
    name: "https://x/y",
    custom_rpc_urls: [{ url: "https://h/***", weight: 5, extra: true }, "https://h/***", null],
    rpc_urls: ["https://h", { weight: "high", ws: { url: "***", other: "wss://h/***" } }],
  });
  expect(isRpcUrlWithoutSecrets(relayer.rpc_urls)).toBe(false);
  expect(isRpcUrlWithoutSecrets([{ weight: "high", main: "https://h/" }])).toBe(true);
  expect(relayer.custom_rpc_urls[0]).toMatchObject({ url: "https://h/KEY" });
});

describe("a link", () => {
  const PUBLIC = "Public Global Stellar Network ; September 2015";
  const HASH = `0x${"ab".repeat(32)}`;

  describe("the page of a transaction", () => {
    test.each([
      ["https://etherscan.io", `https://etherscan.io/tx/${HASH}`],
      ["https://stellar.expert/explorer/public/", `https://stellar.expert/explorer/public/tx/${HASH}`],
      ["https://explorer.example.org?cluster=devnet", `https://explorer.example.org/tx/${HASH}?cluster=devnet`],
    ])("of %s", (explorer, url) => expect(explorerUrl({ explorer_urls: [explorer] }, { tx: HASH })).toBe(url));

    test("is not that of an API, unless there is nothing else", () => {
      const api = "https://api-sepolia.etherscan.io/api";
      expect(explorerUrl({ explorer_urls: [api, "https://sepolia.etherscan.io"] }, { tx: HASH })).toBe(
        `https://sepolia.etherscan.io/tx/${HASH}`,
      );
      expect(explorerUrl({ explorer_urls: [api] }, { tx: HASH })).toBe(`${api}/tx/${HASH}`);
    });
  });

  test.each([
    [{ network_type: "evm", chain_id: 8453 }, { tx: HASH }, `https://basescan.org/tx/${HASH}`],
    [{ network_type: "evm", chain_id: 1 }, { block: "7" }, "https://etherscan.io/block/7"],
    [
      { network_type: "stellar", passphrase: PUBLIC },
      { address: "GA7" },
      "https://stellar.expert/explorer/public/account/GA7",
    ],
    [
      { network_type: "stellar", passphrase: PUBLIC },
      { block: "7" },
      "https://stellar.expert/explorer/public/ledger/7",
    ],
    [{ network_type: "solana", name: "devnet" }, { tx: "5h" }, "https://explorer.solana.com/tx/5h?cluster=devnet"],
    [{ network_type: "evm", chain_id: 31_337 }, { tx: HASH }, undefined],
    [{ network_type: "evm", name: "mainnet" }, { tx: HASH }, undefined],
    [{ network_type: "stellar", passphrase: "constructor" }, { tx: HASH }, undefined],
    [{}, { tx: HASH }, undefined],
  ])("of the known chain %j, the page of %j is %s", (network, page, url) =>
    expect(explorerUrl(network, page)).toBe(url),
  );

  test("the network's own explorer is used before that of the known chain, and an API only without both", () => {
    const own = { network_type: "evm", chain_id: 1, explorer_urls: ["https://own.example.org"] };
    expect(explorerUrl(own, { tx: HASH })).toBe(`https://own.example.org/tx/${HASH}`);
    const api = { ...own, explorer_urls: ["https://api.example.org/api"] };
    expect(explorerUrl(api, { tx: HASH })).toBe(`https://etherscan.io/tx/${HASH}`);
  });

  test.each([
    ["http", ["http://etherscan.io"]],
    ["another scheme", ["javascript:alert(1)"]],
    ["a local file", ["file:///etc/passwd"]],
    ["control characters", ["https://etherscan.io/\u001b]8;;https://evil.example\u0007"]],
    ["a line break", ["https://ether\nscan.io"]],
    ["an invisible character", ["https://etherscan.io/\u202e"]],
    ["a name and a password", ["https://user:secret@etherscan.io"]],
    ["too many characters", [`https://etherscan.io/${"a".repeat(2000)}`]],
    ["no URL", ["etherscan"]],
    ["no text", [7]],
    ["no list", "https://etherscan.io"],
    ["nothing", undefined],
  ])("%s is not linked", (_, explorers) => {
    expect(explorerUrl({ explorer_urls: explorers }, { tx: HASH })).toBeUndefined();
  });

  test.each(["0x12/../../evil", "//evil.example", "x@evil.example", "a?b", "a#b", "\u001b]8;;", "а", ""])(
    "the hash %j is not linked",
    (hash) => expect(explorerUrl({ explorer_urls: ["https://etherscan.io"] }, { tx: hash })).toBeUndefined(),
  );
});
